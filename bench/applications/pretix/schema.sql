CREATE TABLE "auth_group" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(150) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "auth_group_permissions" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "permission_id"),
    FOREIGN KEY ("group_id") REFERENCES "auth_group" ("id"),
    FOREIGN KEY ("permission_id") REFERENCES "auth_permission" ("id")
);

CREATE TABLE "auth_permission" (
    "id" INTEGER NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "codename" VARCHAR(100) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "codename"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "autocheckin_autocheckinrule" (
    "id" INTEGER NOT NULL,
    "mode" VARCHAR(100) NOT NULL,
    "all_sales_channels" BOOLEAN NOT NULL,
    "all_products" BOOLEAN NOT NULL,
    "all_payment_methods" BOOLEAN NOT NULL,
    "limit_payment_methods" TEXT,
    "event_id" BIGINT NOT NULL,
    "list_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("list_id") REFERENCES "pretixbase_checkinlist" ("id")
);

CREATE TABLE "autocheckin_autocheckinrule_limit_products" (
    "id" INTEGER NOT NULL,
    "autocheckinrule_id" BIGINT NOT NULL,
    "item_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("autocheckinrule_id", "item_id"),
    FOREIGN KEY ("autocheckinrule_id") REFERENCES "autocheckin_autocheckinrule" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id")
);

CREATE TABLE "autocheckin_autocheckinrule_limit_sales_channels" (
    "id" INTEGER NOT NULL,
    "autocheckinrule_id" BIGINT NOT NULL,
    "saleschannel_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("autocheckinrule_id", "saleschannel_id"),
    FOREIGN KEY ("autocheckinrule_id") REFERENCES "autocheckin_autocheckinrule" ("id"),
    FOREIGN KEY ("saleschannel_id") REFERENCES "pretixbase_saleschannel" ("id")
);

CREATE TABLE "autocheckin_autocheckinrule_limit_variations" (
    "id" INTEGER NOT NULL,
    "autocheckinrule_id" BIGINT NOT NULL,
    "itemvariation_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("autocheckinrule_id", "itemvariation_id"),
    FOREIGN KEY ("autocheckinrule_id") REFERENCES "autocheckin_autocheckinrule" ("id"),
    FOREIGN KEY ("itemvariation_id") REFERENCES "pretixbase_itemvariation" ("id")
);

CREATE TABLE "badges_badgeitem" (
    "id" INTEGER NOT NULL,
    "item_id" BIGINT,
    "layout_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("layout_id") REFERENCES "badges_badgelayout" ("id")
);

CREATE TABLE "badges_badgelayout" (
    "id" INTEGER NOT NULL,
    "default" BOOLEAN NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "layout" TEXT NOT NULL,
    "background" VARCHAR(255),
    "event_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "banktransfer_bankimportjob" (
    "id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "state" VARCHAR(32) NOT NULL,
    "event_id" BIGINT,
    "organizer_id" BIGINT,
    "currency" VARCHAR(10),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "banktransfer_banktransaction" (
    "id" INTEGER NOT NULL,
    "state" VARCHAR(32) NOT NULL,
    "message" TEXT NOT NULL,
    "checksum" VARCHAR(190) NOT NULL,
    "payer" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "amount" NUMERIC NOT NULL,
    "date" VARCHAR(50) NOT NULL,
    "event_id" BIGINT,
    "import_job_id" BIGINT NOT NULL,
    "order_id" BIGINT,
    "comment" TEXT NOT NULL,
    "organizer_id" BIGINT,
    "bic" VARCHAR(250) NOT NULL,
    "date_parsed" DATE,
    "iban" VARCHAR(250) NOT NULL,
    "currency" VARCHAR(10),
    "external_id" VARCHAR(190),
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "organizer_id", "checksum"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("import_job_id") REFERENCES "banktransfer_bankimportjob" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "banktransfer_refundexport" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "rows" TEXT NOT NULL,
    "event_id" BIGINT,
    "organizer_id" BIGINT,
    "downloaded" BOOLEAN NOT NULL,
    "currency" VARCHAR(10),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "django_content_type" (
    "id" INTEGER NOT NULL,
    "app_label" VARCHAR(100) NOT NULL,
    "model" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("app_label", "model")
);

CREATE TABLE "django_migrations" (
    "id" INTEGER NOT NULL,
    "app" VARCHAR(255) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "applied" DATETIME NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_session" (
    "session_key" VARCHAR(40) NOT NULL,
    "session_data" TEXT NOT NULL,
    "expire_date" DATETIME NOT NULL,
    PRIMARY KEY ("session_key")
);

CREATE TABLE "otp_static_staticdevice" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "confirmed" BOOLEAN NOT NULL,
    "user_id" BIGINT NOT NULL,
    "throttling_failure_count" INTEGER NOT NULL,
    "throttling_failure_timestamp" DATETIME,
    "created_at" DATETIME,
    "last_used_at" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "otp_static_statictoken" (
    "id" INTEGER NOT NULL,
    "token" VARCHAR(16) NOT NULL,
    "device_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("device_id") REFERENCES "otp_static_staticdevice" ("id")
);

CREATE TABLE "otp_totp_totpdevice" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "confirmed" BOOLEAN NOT NULL,
    "key" VARCHAR(80) NOT NULL,
    "step" INTEGER NOT NULL,
    "t0" BIGINT NOT NULL,
    "digits" INTEGER NOT NULL,
    "tolerance" INTEGER NOT NULL,
    "drift" SMALLINT NOT NULL,
    "last_t" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "throttling_failure_count" INTEGER NOT NULL,
    "throttling_failure_timestamp" DATETIME,
    "created_at" DATETIME,
    "last_used_at" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "paypal_referencedpaypalobject" (
    "id" INTEGER NOT NULL,
    "reference" VARCHAR(190) NOT NULL,
    "order_id" BIGINT NOT NULL,
    "payment_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("payment_id") REFERENCES "pretixbase_orderpayment" ("id")
);

CREATE TABLE "pretixapi_apicall" (
    "id" INTEGER NOT NULL,
    "idempotency_key" VARCHAR(190) NOT NULL,
    "auth_hash" VARCHAR(190) NOT NULL,
    "created" DATETIME NOT NULL,
    "locked" DATETIME,
    "request_method" VARCHAR(20) NOT NULL,
    "request_path" VARCHAR(255) NOT NULL,
    "response_code" INTEGER NOT NULL,
    "response_headers" TEXT NOT NULL,
    "response_body" BLOB NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("idempotency_key", "auth_hash")
);

CREATE TABLE "pretixapi_oauthaccesstoken" (
    "id" INTEGER NOT NULL,
    "token" VARCHAR(255) NOT NULL,
    "expires" DATETIME NOT NULL,
    "scope" TEXT NOT NULL,
    "created" DATETIME NOT NULL,
    "updated" DATETIME NOT NULL,
    "application_id" BIGINT,
    "source_refresh_token_id" BIGINT,
    "user_id" BIGINT,
    "id_token_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("application_id") REFERENCES "pretixapi_oauthapplication" ("id"),
    FOREIGN KEY ("id_token_id") REFERENCES "pretixapi_oauthidtoken" ("id"),
    FOREIGN KEY ("source_refresh_token_id") REFERENCES "pretixapi_oauthrefreshtoken" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixapi_oauthaccesstoken_organizers" (
    "id" INTEGER NOT NULL,
    "oauthaccesstoken_id" BIGINT NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("oauthaccesstoken_id", "organizer_id"),
    FOREIGN KEY ("oauthaccesstoken_id") REFERENCES "pretixapi_oauthaccesstoken" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixapi_oauthapplication" (
    "id" INTEGER NOT NULL,
    "client_type" VARCHAR(32) NOT NULL,
    "authorization_grant_type" VARCHAR(32) NOT NULL,
    "skip_authorization" BOOLEAN NOT NULL,
    "created" DATETIME NOT NULL,
    "updated" DATETIME NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "redirect_uris" TEXT NOT NULL,
    "client_id" VARCHAR(100) NOT NULL,
    "client_secret" VARCHAR(255) NOT NULL,
    "active" BOOLEAN NOT NULL,
    "user_id" BIGINT,
    "algorithm" VARCHAR(5) NOT NULL,
    "post_logout_redirect_uris" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixapi_oauthgrant" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(255) NOT NULL,
    "expires" DATETIME NOT NULL,
    "redirect_uri" VARCHAR(2500) NOT NULL,
    "scope" TEXT NOT NULL,
    "created" DATETIME NOT NULL,
    "updated" DATETIME NOT NULL,
    "application_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "claims" TEXT NOT NULL,
    "code_challenge" VARCHAR(128) NOT NULL,
    "code_challenge_method" VARCHAR(10) NOT NULL,
    "nonce" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("application_id") REFERENCES "pretixapi_oauthapplication" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixapi_oauthgrant_organizers" (
    "id" INTEGER NOT NULL,
    "oauthgrant_id" BIGINT NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("oauthgrant_id", "organizer_id"),
    FOREIGN KEY ("oauthgrant_id") REFERENCES "pretixapi_oauthgrant" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixapi_oauthidtoken" (
    "id" INTEGER NOT NULL,
    "jti" VARCHAR(32) NOT NULL,
    "expires" DATETIME NOT NULL,
    "scope" TEXT NOT NULL,
    "created" DATETIME NOT NULL,
    "updated" DATETIME NOT NULL,
    "application_id" BIGINT NOT NULL,
    "user_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("application_id") REFERENCES "pretixapi_oauthapplication" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixapi_oauthidtoken_organizers" (
    "id" INTEGER NOT NULL,
    "oauthidtoken_id" BIGINT NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("oauthidtoken_id", "organizer_id"),
    FOREIGN KEY ("oauthidtoken_id") REFERENCES "pretixapi_oauthidtoken" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixapi_oauthrefreshtoken" (
    "id" INTEGER NOT NULL,
    "token" VARCHAR(255) NOT NULL,
    "created" DATETIME NOT NULL,
    "updated" DATETIME NOT NULL,
    "revoked" DATETIME,
    "access_token_id" BIGINT,
    "application_id" BIGINT NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("token", "revoked"),
    FOREIGN KEY ("access_token_id") REFERENCES "pretixapi_oauthaccesstoken" ("id"),
    FOREIGN KEY ("application_id") REFERENCES "pretixapi_oauthapplication" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixapi_webhook" (
    "id" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "all_events" BOOLEAN NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    "comment" VARCHAR(255),
    "target_url" VARCHAR(1024) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixapi_webhook_limit_events" (
    "id" INTEGER NOT NULL,
    "webhook_id" INTEGER NOT NULL,
    "event_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("webhook_id", "event_id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("webhook_id") REFERENCES "pretixapi_webhook" ("id")
);

CREATE TABLE "pretixapi_webhookcall" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "is_retry" BOOLEAN NOT NULL,
    "execution_time" FLOAT,
    "return_code" INTEGER NOT NULL,
    "payload" TEXT NOT NULL,
    "response_body" TEXT NOT NULL,
    "webhook_id" BIGINT NOT NULL,
    "success" BOOLEAN NOT NULL,
    "action_type" VARCHAR(255) NOT NULL,
    "target_url" VARCHAR(1024) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("webhook_id") REFERENCES "pretixapi_webhook" ("id")
);

CREATE TABLE "pretixapi_webhookcallretry" (
    "id" INTEGER NOT NULL,
    "retry_count" INTEGER NOT NULL,
    "action_type" VARCHAR(255) NOT NULL,
    "logentry_id" BIGINT NOT NULL,
    "webhook_id" BIGINT NOT NULL,
    "retry_not_before" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("webhook_id", "logentry_id"),
    FOREIGN KEY ("logentry_id") REFERENCES "pretixbase_logentry" ("id"),
    FOREIGN KEY ("webhook_id") REFERENCES "pretixapi_webhook" ("id")
);

CREATE TABLE "pretixapi_webhookeventlistener" (
    "id" INTEGER NOT NULL,
    "action_type" VARCHAR(255) NOT NULL,
    "webhook_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("webhook_id") REFERENCES "pretixapi_webhook" ("id")
);

CREATE TABLE "pretixbase_attendeeprofile" (
    "id" INTEGER NOT NULL,
    "attendee_name_cached" VARCHAR(255),
    "attendee_name_parts" TEXT NOT NULL,
    "attendee_email" VARCHAR(254),
    "company" VARCHAR(255),
    "street" TEXT,
    "zipcode" VARCHAR(30),
    "city" VARCHAR(255),
    "country" VARCHAR(2),
    "state" VARCHAR(255),
    "answers" TEXT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id")
);

CREATE TABLE "pretixbase_blockedticketsecret" (
    "id" INTEGER NOT NULL,
    "secret" TEXT NOT NULL,
    "blocked" BOOLEAN NOT NULL,
    "updated" DATETIME NOT NULL,
    "event_id" INTEGER NOT NULL,
    "position_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "secret"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("position_id") REFERENCES "pretixbase_orderposition" ("id")
);

CREATE TABLE "pretixbase_cachedcombinedticket" (
    "id" INTEGER NOT NULL,
    "provider" VARCHAR(255) NOT NULL,
    "type" VARCHAR(255) NOT NULL,
    "extension" VARCHAR(255) NOT NULL,
    "file" VARCHAR(255),
    "order_id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id")
);

CREATE TABLE "pretixbase_cachedfile" (
    "id" VARCHAR(32) NOT NULL,
    "expires" DATETIME,
    "date" DATETIME,
    "filename" VARCHAR(255) NOT NULL,
    "type" VARCHAR(255) NOT NULL,
    "file" VARCHAR(255),
    "session_key" TEXT,
    "web_download" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "pretixbase_cachedticket" (
    "id" INTEGER NOT NULL,
    "provider" VARCHAR(255) NOT NULL,
    "order_position_id" INTEGER NOT NULL,
    "extension" VARCHAR(255) NOT NULL,
    "file" VARCHAR(255),
    "type" VARCHAR(255) NOT NULL,
    "created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_position_id") REFERENCES "pretixbase_orderposition" ("id")
);

CREATE TABLE "pretixbase_cancellationrequest" (
    "id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "cancellation_fee" NUMERIC NOT NULL,
    "refund_as_giftcard" BOOLEAN NOT NULL,
    "order_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id")
);

CREATE TABLE "pretixbase_cartposition" (
    "id" INTEGER NOT NULL,
    "price" NUMERIC NOT NULL,
    "cart_id" VARCHAR(255),
    "datetime" DATETIME NOT NULL,
    "expires" DATETIME NOT NULL,
    "event_id" BIGINT NOT NULL,
    "item_id" BIGINT NOT NULL,
    "variation_id" BIGINT,
    "voucher_id" BIGINT,
    "attendee_email" VARCHAR(254),
    "meta_info" TEXT,
    "subevent_id" BIGINT,
    "attendee_name_cached" VARCHAR(255),
    "attendee_name_parts" TEXT NOT NULL,
    "is_bundled" BOOLEAN NOT NULL,
    "seat_id" BIGINT,
    "city" VARCHAR(255),
    "company" VARCHAR(255),
    "country" VARCHAR(2),
    "state" VARCHAR(255),
    "street" TEXT,
    "zipcode" VARCHAR(30),
    "used_membership_id" BIGINT,
    "custom_price_input" NUMERIC,
    "custom_price_input_is_net" BOOLEAN NOT NULL,
    "line_price_gross" NUMERIC,
    "listed_price" NUMERIC,
    "price_after_voucher" NUMERIC,
    "discount_id" BIGINT,
    "requested_valid_from" DATETIME,
    "max_extend" DATETIME,
    "price_includes_rounding_correction" NUMERIC NOT NULL,
    "tax_code" VARCHAR(190),
    "tax_value_includes_rounding_correction" NUMERIC NOT NULL,
    "tax_rate" NUMERIC NOT NULL,
    "addon_to_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("addon_to_id") REFERENCES "pretixbase_cartposition" ("id"),
    FOREIGN KEY ("discount_id") REFERENCES "pretixbase_discount" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("seat_id") REFERENCES "pretixbase_seat" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id"),
    FOREIGN KEY ("used_membership_id") REFERENCES "pretixbase_membership" ("id"),
    FOREIGN KEY ("variation_id") REFERENCES "pretixbase_itemvariation" ("id"),
    FOREIGN KEY ("voucher_id") REFERENCES "pretixbase_voucher" ("id")
);

CREATE TABLE "pretixbase_checkin" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "position_id" INTEGER,
    "nonce" VARCHAR(190),
    "list_id" INTEGER NOT NULL,
    "auto_checked_in" BOOLEAN NOT NULL,
    "device_id" INTEGER,
    "forced" BOOLEAN NOT NULL,
    "type" VARCHAR(100) NOT NULL,
    "gate_id" INTEGER,
    "created" DATETIME,
    "error_explanation" TEXT,
    "error_reason" VARCHAR(100),
    "raw_barcode" TEXT,
    "raw_item_id" INTEGER,
    "raw_subevent_id" INTEGER,
    "raw_variation_id" INTEGER,
    "successful" BOOLEAN NOT NULL,
    "force_sent" BOOLEAN,
    "raw_source_type" VARCHAR(100),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("device_id") REFERENCES "pretixbase_device" ("id"),
    FOREIGN KEY ("gate_id") REFERENCES "pretixbase_gate" ("id"),
    FOREIGN KEY ("list_id") REFERENCES "pretixbase_checkinlist" ("id"),
    FOREIGN KEY ("position_id") REFERENCES "pretixbase_orderposition" ("id"),
    FOREIGN KEY ("raw_item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("raw_subevent_id") REFERENCES "pretixbase_subevent" ("id"),
    FOREIGN KEY ("raw_variation_id") REFERENCES "pretixbase_itemvariation" ("id")
);

CREATE TABLE "pretixbase_checkinlist" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "all_products" BOOLEAN NOT NULL,
    "event_id" BIGINT NOT NULL,
    "subevent_id" BIGINT,
    "include_pending" BOOLEAN NOT NULL,
    "allow_entry_after_exit" BOOLEAN NOT NULL,
    "allow_multiple_entries" BOOLEAN NOT NULL,
    "rules" TEXT NOT NULL,
    "exit_all_at" DATETIME,
    "addon_match" BOOLEAN NOT NULL,
    "consider_tickets_used" BOOLEAN NOT NULL,
    "ignore_in_statistics" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id")
);

CREATE TABLE "pretixbase_checkinlist_gates" (
    "id" INTEGER NOT NULL,
    "checkinlist_id" INTEGER NOT NULL,
    "gate_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("checkinlist_id", "gate_id"),
    FOREIGN KEY ("checkinlist_id") REFERENCES "pretixbase_checkinlist" ("id"),
    FOREIGN KEY ("gate_id") REFERENCES "pretixbase_gate" ("id")
);

CREATE TABLE "pretixbase_checkinlist_limit_products" (
    "id" INTEGER NOT NULL,
    "checkinlist_id" INTEGER NOT NULL,
    "item_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("checkinlist_id", "item_id"),
    FOREIGN KEY ("checkinlist_id") REFERENCES "pretixbase_checkinlist" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id")
);

CREATE TABLE "pretixbase_checkoutsession" (
    "id" INTEGER NOT NULL,
    "cart_id" VARCHAR(255) NOT NULL,
    "created" DATETIME NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "session_data" TEXT NOT NULL,
    "customer_id" BIGINT,
    "event_id" BIGINT NOT NULL,
    "sales_channel_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("sales_channel_id") REFERENCES "pretixbase_saleschannel" ("id")
);

CREATE TABLE "pretixbase_customer" (
    "id" INTEGER NOT NULL,
    "identifier" VARCHAR(190) NOT NULL,
    "email" VARCHAR(190),
    "password" VARCHAR(128) NOT NULL,
    "name_cached" VARCHAR(255) NOT NULL,
    "name_parts" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "is_verified" BOOLEAN NOT NULL,
    "last_login" DATETIME,
    "date_joined" DATETIME NOT NULL,
    "last_modified" DATETIME NOT NULL,
    "organizer_id" INTEGER NOT NULL,
    "phone" VARCHAR(128),
    "external_identifier" VARCHAR(255),
    "notes" TEXT,
    "provider_id" BIGINT,
    "locale" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("organizer_id", "email"),
    UNIQUE ("organizer_id", "identifier"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("provider_id") REFERENCES "pretixbase_customerssoprovider" ("id")
);

CREATE TABLE "pretixbase_customerssoaccesstoken" (
    "id" INTEGER NOT NULL,
    "from_code" VARCHAR(255),
    "token" VARCHAR(255) NOT NULL,
    "expires" DATETIME NOT NULL,
    "scope" TEXT NOT NULL,
    "client_id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("client_id") REFERENCES "pretixbase_customerssoclient" ("id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id")
);

CREATE TABLE "pretixbase_customerssoclient" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "client_id" VARCHAR(100) NOT NULL,
    "client_secret" VARCHAR(255) NOT NULL,
    "client_type" VARCHAR(32) NOT NULL,
    "authorization_grant_type" VARCHAR(32) NOT NULL,
    "redirect_uris" TEXT NOT NULL,
    "allowed_scopes" TEXT NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    "require_pkce" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_customerssogrant" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(255) NOT NULL,
    "nonce" VARCHAR(255),
    "auth_time" INTEGER NOT NULL,
    "expires" DATETIME NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "client_id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "code_challenge" TEXT,
    "code_challenge_method" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("client_id") REFERENCES "pretixbase_customerssoclient" ("id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id")
);

CREATE TABLE "pretixbase_customerssoprovider" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "button_label" TEXT NOT NULL,
    "method" VARCHAR(190) NOT NULL,
    "configuration" TEXT NOT NULL,
    "organizer_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_device" (
    "id" INTEGER NOT NULL,
    "device_id" INTEGER NOT NULL,
    "unique_serial" VARCHAR(190) NOT NULL,
    "initialization_token" VARCHAR(190) NOT NULL,
    "api_token" VARCHAR(190),
    "all_events" BOOLEAN NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "created" DATETIME NOT NULL,
    "initialized" DATETIME,
    "hardware_brand" VARCHAR(190),
    "hardware_model" VARCHAR(190),
    "software_brand" VARCHAR(190),
    "software_version" VARCHAR(190),
    "organizer_id" INTEGER NOT NULL,
    "revoked" BOOLEAN NOT NULL,
    "security_profile" VARCHAR(190),
    "gate_id" INTEGER,
    "info" TEXT,
    "os_name" VARCHAR(190),
    "os_version" VARCHAR(190),
    "rsa_pubkey" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("organizer_id", "device_id"),
    FOREIGN KEY ("gate_id") REFERENCES "pretixbase_gate" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_device_limit_events" (
    "id" INTEGER NOT NULL,
    "device_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("device_id", "event_id"),
    FOREIGN KEY ("device_id") REFERENCES "pretixbase_device" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixbase_devicelastseen" (
    "id" INTEGER NOT NULL,
    "last_seen" DATETIME NOT NULL,
    "device_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("device_id") REFERENCES "pretixbase_device" ("id")
);

CREATE TABLE "pretixbase_discount" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL,
    "internal_name" VARCHAR(255) NOT NULL,
    "position" INTEGER NOT NULL,
    "available_from" DATETIME,
    "available_until" DATETIME,
    "subevent_mode" VARCHAR(50) NOT NULL,
    "condition_all_products" BOOLEAN NOT NULL,
    "condition_min_count" INTEGER NOT NULL,
    "condition_min_value" NUMERIC NOT NULL,
    "benefit_discount_matching_percent" NUMERIC NOT NULL,
    "benefit_only_apply_to_cheapest_n_matches" INTEGER,
    "condition_apply_to_addons" BOOLEAN NOT NULL,
    "event_id" BIGINT NOT NULL,
    "condition_ignore_voucher_discounted" BOOLEAN NOT NULL,
    "benefit_apply_to_addons" BOOLEAN NOT NULL,
    "benefit_ignore_voucher_discounted" BOOLEAN NOT NULL,
    "benefit_same_products" BOOLEAN NOT NULL,
    "all_sales_channels" BOOLEAN NOT NULL,
    "subevent_date_from" DATETIME,
    "subevent_date_until" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixbase_discount_benefit_limit_products" (
    "id" INTEGER NOT NULL,
    "discount_id" INTEGER NOT NULL,
    "item_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("discount_id", "item_id"),
    FOREIGN KEY ("discount_id") REFERENCES "pretixbase_discount" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id")
);

CREATE TABLE "pretixbase_discount_condition_limit_products" (
    "id" INTEGER NOT NULL,
    "discount_id" INTEGER NOT NULL,
    "item_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("discount_id", "item_id"),
    FOREIGN KEY ("discount_id") REFERENCES "pretixbase_discount" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id")
);

CREATE TABLE "pretixbase_discount_limit_sales_channels" (
    "id" INTEGER NOT NULL,
    "discount_id" BIGINT NOT NULL,
    "saleschannel_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("discount_id", "saleschannel_id"),
    FOREIGN KEY ("discount_id") REFERENCES "pretixbase_discount" ("id"),
    FOREIGN KEY ("saleschannel_id") REFERENCES "pretixbase_saleschannel" ("id")
);

CREATE TABLE "pretixbase_event" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "slug" VARCHAR(50) NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "date_from" DATETIME NOT NULL,
    "date_to" DATETIME,
    "is_public" BOOLEAN NOT NULL,
    "presale_end" DATETIME,
    "presale_start" DATETIME,
    "plugins" TEXT NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    "live" BOOLEAN NOT NULL,
    "location" TEXT,
    "date_admission" DATETIME,
    "comment" TEXT,
    "has_subevents" BOOLEAN NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "seating_plan_id" BIGINT,
    "geo_lat" FLOAT,
    "geo_lon" FLOAT,
    "last_modified" DATETIME NOT NULL,
    "all_sales_channels" BOOLEAN NOT NULL,
    "is_remote" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("organizer_id", "slug"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("seating_plan_id") REFERENCES "pretixbase_seatingplan" ("id")
);

CREATE TABLE "pretixbase_event_limit_sales_channels" (
    "id" INTEGER NOT NULL,
    "event_id" BIGINT NOT NULL,
    "saleschannel_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "saleschannel_id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("saleschannel_id") REFERENCES "pretixbase_saleschannel" ("id")
);

CREATE TABLE "pretixbase_event_settingsstore" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "value" TEXT NOT NULL,
    "object_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("object_id", "key"),
    FOREIGN KEY ("object_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixbase_eventfooterlink" (
    "id" INTEGER NOT NULL,
    "label" TEXT NOT NULL,
    "url" VARCHAR(200) NOT NULL,
    "event_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixbase_eventlock" (
    "event" VARCHAR(36) NOT NULL,
    "date" DATETIME NOT NULL,
    "token" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("event")
);

CREATE TABLE "pretixbase_eventmetaproperty" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(50) NOT NULL,
    "default" TEXT NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    "protected" BOOLEAN NOT NULL,
    "required" BOOLEAN NOT NULL,
    "filter_allowed" BOOLEAN NOT NULL,
    "filter_public" BOOLEAN NOT NULL,
    "public_label" TEXT,
    "position" INTEGER NOT NULL,
    "choices" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("organizer_id", "name"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_eventmetavalue" (
    "id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "event_id" BIGINT NOT NULL,
    "property_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "property_id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("property_id") REFERENCES "pretixbase_eventmetaproperty" ("id")
);

CREATE TABLE "pretixbase_exchangerate" (
    "id" INTEGER NOT NULL,
    "source" VARCHAR(100) NOT NULL,
    "source_date" DATE NOT NULL,
    "updated" DATETIME NOT NULL,
    "source_currency" VARCHAR(3) NOT NULL,
    "other_currency" VARCHAR(3) NOT NULL,
    "rate" NUMERIC NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("source", "source_currency", "other_currency")
);

CREATE TABLE "pretixbase_gate" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "identifier" VARCHAR(190) NOT NULL,
    "organizer_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_giftcard" (
    "id" INTEGER NOT NULL,
    "issuance" DATETIME NOT NULL,
    "secret" VARCHAR(190) NOT NULL,
    "currency" VARCHAR(10) NOT NULL,
    "issued_in_id" INTEGER,
    "issuer_id" INTEGER NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "conditions" TEXT,
    "expires" DATETIME,
    "owner_ticket_id" INTEGER,
    "customer_id" BIGINT,
    PRIMARY KEY ("id"),
    UNIQUE ("secret", "issuer_id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id"),
    FOREIGN KEY ("issued_in_id") REFERENCES "pretixbase_orderposition" ("id"),
    FOREIGN KEY ("issuer_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("owner_ticket_id") REFERENCES "pretixbase_orderposition" ("id")
);

CREATE TABLE "pretixbase_giftcardacceptance" (
    "id" INTEGER NOT NULL,
    "issuer_id" INTEGER NOT NULL,
    "acceptor_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL,
    "reusable_media" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("issuer_id", "acceptor_id"),
    FOREIGN KEY ("acceptor_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("issuer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_giftcardtransaction" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "value" NUMERIC NOT NULL,
    "card_id" BIGINT NOT NULL,
    "order_id" INTEGER,
    "payment_id" INTEGER,
    "refund_id" INTEGER,
    "text" TEXT,
    "acceptor_id" INTEGER,
    "info" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("acceptor_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("card_id") REFERENCES "pretixbase_giftcard" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("payment_id") REFERENCES "pretixbase_orderpayment" ("id"),
    FOREIGN KEY ("refund_id") REFERENCES "pretixbase_orderrefund" ("id")
);

CREATE TABLE "pretixbase_globalsettingsobject_settingsstore" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "value" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("key")
);

CREATE TABLE "pretixbase_historicpassword" (
    "id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "password" VARCHAR(128) NOT NULL,
    "user_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_invoice" (
    "id" INTEGER NOT NULL,
    "invoice_from" TEXT NOT NULL,
    "invoice_to" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "file" VARCHAR(255),
    "event_id" BIGINT NOT NULL,
    "order_id" BIGINT NOT NULL,
    "locale" VARCHAR(50) NOT NULL,
    "additional_text" TEXT NOT NULL,
    "is_cancellation" BOOLEAN NOT NULL,
    "invoice_no" VARCHAR(19) NOT NULL,
    "footer_text" TEXT NOT NULL,
    "introductory_text" TEXT NOT NULL,
    "payment_provider_text" TEXT NOT NULL,
    "prefix" VARCHAR(160) NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    "foreign_currency_display" VARCHAR(50),
    "foreign_currency_rate" NUMERIC,
    "foreign_currency_rate_date" DATE,
    "internal_reference" TEXT NOT NULL,
    "full_invoice_no" VARCHAR(190) NOT NULL,
    "shredded" BOOLEAN NOT NULL,
    "invoice_from_city" VARCHAR(190),
    "invoice_from_country" VARCHAR(2),
    "invoice_from_name" VARCHAR(190),
    "invoice_from_tax_id" VARCHAR(190),
    "invoice_from_vat_id" VARCHAR(190),
    "invoice_from_zipcode" VARCHAR(190),
    "invoice_to_city" TEXT,
    "invoice_to_company" TEXT,
    "invoice_to_country" VARCHAR(2),
    "invoice_to_name" TEXT,
    "invoice_to_street" TEXT,
    "invoice_to_vat_id" TEXT,
    "invoice_to_zipcode" VARCHAR(190),
    "reverse_charge" BOOLEAN NOT NULL,
    "invoice_to_beneficiary" TEXT,
    "invoice_to_state" VARCHAR(190),
    "custom_field" VARCHAR(255),
    "sent_to_organizer" BOOLEAN,
    "payment_provider_stamp" VARCHAR(100),
    "foreign_currency_source" VARCHAR(100),
    "transmission_date" DATETIME,
    "invoice_to_transmission_info" TEXT,
    "transmission_info" TEXT,
    "transmission_provider" VARCHAR(255),
    "transmission_status" VARCHAR(255) NOT NULL,
    "created" DATETIME,
    "invoice_to_is_business" BOOLEAN,
    "transmission_type" VARCHAR(255) NOT NULL,
    "plugin_data" TEXT NOT NULL,
    "refers_id" BIGINT,
    "invoice_from_state" VARCHAR(190),
    PRIMARY KEY ("id"),
    UNIQUE ("organizer_id", "prefix", "invoice_no"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("refers_id") REFERENCES "pretixbase_invoice" ("id")
);

CREATE TABLE "pretixbase_invoiceaddress" (
    "id" INTEGER NOT NULL,
    "last_modified" DATETIME NOT NULL,
    "company" VARCHAR(255) NOT NULL,
    "street" TEXT NOT NULL,
    "zipcode" VARCHAR(30) NOT NULL,
    "city" VARCHAR(255) NOT NULL,
    "vat_id" VARCHAR(255) NOT NULL,
    "order_id" BIGINT,
    "country_old" VARCHAR(255) NOT NULL,
    "country" VARCHAR(2) NOT NULL,
    "is_business" BOOLEAN NOT NULL,
    "vat_id_validated" BOOLEAN NOT NULL,
    "internal_reference" TEXT NOT NULL,
    "name_cached" VARCHAR(255) NOT NULL,
    "name_parts" TEXT NOT NULL,
    "beneficiary" TEXT NOT NULL,
    "state" VARCHAR(255) NOT NULL,
    "custom_field" VARCHAR(255),
    "customer_id" BIGINT,
    "transmission_info" TEXT,
    "transmission_type" VARCHAR(255) NOT NULL,
    "checkout_session_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("checkout_session_id") REFERENCES "pretixbase_checkoutsession" ("id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id")
);

CREATE TABLE "pretixbase_invoiceline" (
    "id" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "gross_value" NUMERIC NOT NULL,
    "tax_value" NUMERIC NOT NULL,
    "invoice_id" BIGINT NOT NULL,
    "tax_name" VARCHAR(190) NOT NULL,
    "position" INTEGER NOT NULL,
    "subevent_id" BIGINT,
    "attendee_name" TEXT,
    "item_id" BIGINT,
    "variation_id" BIGINT,
    "fee_internal_type" VARCHAR(190),
    "fee_type" VARCHAR(190),
    "event_location" TEXT,
    "tax_code" VARCHAR(190),
    "period_end" DATETIME,
    "period_start" DATETIME,
    "tax_rate" NUMERIC NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice_id") REFERENCES "pretixbase_invoice" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id"),
    FOREIGN KEY ("variation_id") REFERENCES "pretixbase_itemvariation" ("id")
);

CREATE TABLE "pretixbase_item" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "description" TEXT,
    "default_price" NUMERIC NOT NULL,
    "admission" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "picture" VARCHAR(255),
    "available_from" DATETIME,
    "available_until" DATETIME,
    "category_id" BIGINT,
    "event_id" BIGINT NOT NULL,
    "free_price" BOOLEAN NOT NULL,
    "hide_without_voucher" BOOLEAN NOT NULL,
    "require_voucher" BOOLEAN NOT NULL,
    "allow_cancel" BOOLEAN NOT NULL,
    "max_per_order" INTEGER,
    "min_per_order" INTEGER,
    "tax_rule_id" BIGINT,
    "checkin_attention" BOOLEAN NOT NULL,
    "internal_name" VARCHAR(255),
    "original_price" NUMERIC,
    "require_approval" BOOLEAN NOT NULL,
    "generate_tickets" BOOLEAN,
    "require_bundling" BOOLEAN NOT NULL,
    "show_quota_left" BOOLEAN,
    "hidden_if_available_id" BIGINT,
    "allow_waitinglist" BOOLEAN NOT NULL,
    "issue_giftcard" BOOLEAN NOT NULL,
    "grant_membership_duration_days" INTEGER NOT NULL,
    "grant_membership_duration_like_event" BOOLEAN NOT NULL,
    "grant_membership_duration_months" INTEGER NOT NULL,
    "require_membership" BOOLEAN NOT NULL,
    "grant_membership_type_id" BIGINT,
    "require_membership_hidden" BOOLEAN NOT NULL,
    "personalized" BOOLEAN NOT NULL,
    "validity_dynamic_duration_days" INTEGER,
    "validity_dynamic_duration_hours" INTEGER,
    "validity_dynamic_duration_minutes" INTEGER,
    "validity_dynamic_duration_months" INTEGER,
    "validity_dynamic_start_choice" BOOLEAN NOT NULL,
    "validity_dynamic_start_choice_day_limit" INTEGER,
    "validity_fixed_from" DATETIME,
    "validity_fixed_until" DATETIME,
    "validity_mode" VARCHAR(16),
    "media_policy" VARCHAR(16),
    "media_type" VARCHAR(100),
    "free_price_suggestion" NUMERIC,
    "checkin_text" TEXT,
    "available_from_mode" VARCHAR(16) NOT NULL,
    "available_until_mode" VARCHAR(16) NOT NULL,
    "all_sales_channels" BOOLEAN NOT NULL,
    "hidden_if_item_available_mode" VARCHAR(16) NOT NULL,
    "hidden_if_item_available_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "pretixbase_itemcategory" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("grant_membership_type_id") REFERENCES "pretixbase_membershiptype" ("id"),
    FOREIGN KEY ("hidden_if_available_id") REFERENCES "pretixbase_quota" ("id"),
    FOREIGN KEY ("hidden_if_item_available_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("tax_rule_id") REFERENCES "pretixbase_taxrule" ("id")
);

CREATE TABLE "pretixbase_item_limit_sales_channels" (
    "id" INTEGER NOT NULL,
    "item_id" BIGINT NOT NULL,
    "saleschannel_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("item_id", "saleschannel_id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("saleschannel_id") REFERENCES "pretixbase_saleschannel" ("id")
);

CREATE TABLE "pretixbase_item_require_membership_types" (
    "id" INTEGER NOT NULL,
    "item_id" INTEGER NOT NULL,
    "membershiptype_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("item_id", "membershiptype_id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("membershiptype_id") REFERENCES "pretixbase_membershiptype" ("id")
);

CREATE TABLE "pretixbase_itemaddon" (
    "id" INTEGER NOT NULL,
    "min_count" INTEGER NOT NULL,
    "max_count" INTEGER NOT NULL,
    "addon_category_id" INTEGER NOT NULL,
    "base_item_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "price_included" BOOLEAN NOT NULL,
    "multi_allowed" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("base_item_id", "addon_category_id"),
    FOREIGN KEY ("addon_category_id") REFERENCES "pretixbase_itemcategory" ("id"),
    FOREIGN KEY ("base_item_id") REFERENCES "pretixbase_item" ("id")
);

CREATE TABLE "pretixbase_itembundle" (
    "id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "designated_price" NUMERIC NOT NULL,
    "base_item_id" BIGINT NOT NULL,
    "bundled_item_id" BIGINT NOT NULL,
    "bundled_variation_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("base_item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("bundled_item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("bundled_variation_id") REFERENCES "pretixbase_itemvariation" ("id")
);

CREATE TABLE "pretixbase_itemcategory" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "event_id" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "is_addon" BOOLEAN NOT NULL,
    "internal_name" VARCHAR(255),
    "cross_selling_condition" VARCHAR(10),
    "cross_selling_mode" VARCHAR(5),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixbase_itemcategory_cross_selling_match_products" (
    "id" INTEGER NOT NULL,
    "itemcategory_id" BIGINT NOT NULL,
    "item_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("itemcategory_id", "item_id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("itemcategory_id") REFERENCES "pretixbase_itemcategory" ("id")
);

CREATE TABLE "pretixbase_itemmetaproperty" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(50) NOT NULL,
    "default" TEXT NOT NULL,
    "event_id" BIGINT NOT NULL,
    "allowed_values" TEXT,
    "required" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixbase_itemmetavalue" (
    "id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "item_id" BIGINT NOT NULL,
    "property_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("item_id", "property_id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("property_id") REFERENCES "pretixbase_itemmetaproperty" ("id")
);

CREATE TABLE "pretixbase_itemprogramtime" (
    "id" INTEGER NOT NULL,
    "start" DATETIME NOT NULL,
    "end" DATETIME NOT NULL,
    "item_id" BIGINT NOT NULL,
    "location" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id")
);

CREATE TABLE "pretixbase_itemvariation" (
    "id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "default_price" NUMERIC,
    "item_id" BIGINT NOT NULL,
    "description" TEXT,
    "original_price" NUMERIC,
    "require_membership" BOOLEAN NOT NULL,
    "available_from" DATETIME,
    "available_until" DATETIME,
    "hide_without_voucher" BOOLEAN NOT NULL,
    "require_membership_hidden" BOOLEAN NOT NULL,
    "require_approval" BOOLEAN NOT NULL,
    "checkin_attention" BOOLEAN NOT NULL,
    "free_price_suggestion" NUMERIC,
    "checkin_text" TEXT,
    "available_from_mode" VARCHAR(16) NOT NULL,
    "available_until_mode" VARCHAR(16) NOT NULL,
    "all_sales_channels" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id")
);

CREATE TABLE "pretixbase_itemvariation_limit_sales_channels" (
    "id" INTEGER NOT NULL,
    "itemvariation_id" BIGINT NOT NULL,
    "saleschannel_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("itemvariation_id", "saleschannel_id"),
    FOREIGN KEY ("itemvariation_id") REFERENCES "pretixbase_itemvariation" ("id"),
    FOREIGN KEY ("saleschannel_id") REFERENCES "pretixbase_saleschannel" ("id")
);

CREATE TABLE "pretixbase_itemvariation_require_membership_types" (
    "id" INTEGER NOT NULL,
    "itemvariation_id" INTEGER NOT NULL,
    "membershiptype_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("itemvariation_id", "membershiptype_id"),
    FOREIGN KEY ("itemvariation_id") REFERENCES "pretixbase_itemvariation" ("id"),
    FOREIGN KEY ("membershiptype_id") REFERENCES "pretixbase_membershiptype" ("id")
);

CREATE TABLE "pretixbase_itemvariationmetavalue" (
    "id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "property_id" BIGINT NOT NULL,
    "variation_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("variation_id", "property_id"),
    FOREIGN KEY ("property_id") REFERENCES "pretixbase_itemmetaproperty" ("id"),
    FOREIGN KEY ("variation_id") REFERENCES "pretixbase_itemvariation" ("id")
);

CREATE TABLE "pretixbase_logentry" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "action_type" VARCHAR(255) NOT NULL,
    "data" TEXT NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "event_id" BIGINT,
    "user_id" BIGINT,
    "api_token_id" BIGINT,
    "visible" BOOLEAN NOT NULL,
    "shredded" BOOLEAN NOT NULL,
    "oauth_application_id" BIGINT,
    "device_id" BIGINT,
    "organizer_link_id" BIGINT,
    "object_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("api_token_id") REFERENCES "pretixbase_teamapitoken" ("id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("device_id") REFERENCES "pretixbase_device" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("oauth_application_id") REFERENCES "pretixapi_oauthapplication" ("id"),
    FOREIGN KEY ("organizer_link_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_mediumkeyset" (
    "id" INTEGER NOT NULL,
    "public_id" BIGINT NOT NULL,
    "media_type" VARCHAR(100) NOT NULL,
    "active" BOOLEAN NOT NULL,
    "uid_key" BLOB NOT NULL,
    "diversification_key" BLOB NOT NULL,
    "organizer_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_membership" (
    "id" INTEGER NOT NULL,
    "date_start" DATETIME NOT NULL,
    "date_end" DATETIME NOT NULL,
    "attendee_name_parts" TEXT,
    "customer_id" BIGINT NOT NULL,
    "granted_in_id" INTEGER,
    "membership_type_id" BIGINT NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "canceled" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id"),
    FOREIGN KEY ("granted_in_id") REFERENCES "pretixbase_orderposition" ("id"),
    FOREIGN KEY ("membership_type_id") REFERENCES "pretixbase_membershiptype" ("id")
);

CREATE TABLE "pretixbase_membershiptype" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "transferable" BOOLEAN NOT NULL,
    "allow_parallel_usage" BOOLEAN NOT NULL,
    "max_usages" INTEGER,
    "organizer_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_notificationsetting" (
    "id" INTEGER NOT NULL,
    "action_type" VARCHAR(255) NOT NULL,
    "method" VARCHAR(255) NOT NULL,
    "event_id" BIGINT,
    "user_id" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "action_type", "event_id", "method"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_order" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(16) NOT NULL,
    "status" VARCHAR(3) NOT NULL,
    "email" VARCHAR(254),
    "locale" VARCHAR(32),
    "secret" VARCHAR(32) NOT NULL,
    "datetime" DATETIME NOT NULL,
    "expires" DATETIME NOT NULL,
    "total" NUMERIC NOT NULL,
    "event_id" BIGINT NOT NULL,
    "comment" TEXT NOT NULL,
    "expiry_reminder_sent" BOOLEAN NOT NULL,
    "meta_info" TEXT,
    "download_reminder_sent" BOOLEAN NOT NULL,
    "checkin_attention" BOOLEAN NOT NULL,
    "last_modified" DATETIME NOT NULL,
    "require_approval" BOOLEAN NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "email_known_to_work" BOOLEAN NOT NULL,
    "cancellation_date" DATETIME,
    "phone" VARCHAR(128),
    "customer_id" BIGINT,
    "custom_followup_at" DATE,
    "valid_if_pending" BOOLEAN NOT NULL,
    "invoice_dirty" BOOLEAN NOT NULL,
    "checkin_text" TEXT,
    "internal_secret" VARCHAR(32),
    "sales_channel_id" BIGINT NOT NULL,
    "api_meta" TEXT NOT NULL,
    "tax_rounding_mode" VARCHAR(100) NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("organizer_id", "code"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("sales_channel_id") REFERENCES "pretixbase_saleschannel" ("id")
);

CREATE TABLE "pretixbase_orderfee" (
    "id" INTEGER NOT NULL,
    "value" NUMERIC NOT NULL,
    "description" VARCHAR(190) NOT NULL,
    "internal_type" VARCHAR(255) NOT NULL,
    "fee_type" VARCHAR(100) NOT NULL,
    "tax_value" NUMERIC NOT NULL,
    "order_id" BIGINT NOT NULL,
    "tax_rule_id" BIGINT,
    "canceled" BOOLEAN NOT NULL,
    "tax_code" VARCHAR(190),
    "tax_value_includes_rounding_correction" NUMERIC NOT NULL,
    "value_includes_rounding_correction" NUMERIC NOT NULL,
    "tax_rate" NUMERIC NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("tax_rule_id") REFERENCES "pretixbase_taxrule" ("id")
);

CREATE TABLE "pretixbase_orderpayment" (
    "id" INTEGER NOT NULL,
    "local_id" INTEGER NOT NULL,
    "state" VARCHAR(190) NOT NULL,
    "amount" NUMERIC NOT NULL,
    "created" DATETIME NOT NULL,
    "payment_date" DATETIME,
    "provider" VARCHAR(255),
    "info" TEXT,
    "migrated" BOOLEAN NOT NULL,
    "fee_id" BIGINT,
    "order_id" BIGINT NOT NULL,
    "process_initiated" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("fee_id") REFERENCES "pretixbase_orderfee" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id")
);

CREATE TABLE "pretixbase_orderposition" (
    "id" INTEGER NOT NULL,
    "price" NUMERIC NOT NULL,
    "item_id" BIGINT NOT NULL,
    "order_id" BIGINT NOT NULL,
    "variation_id" BIGINT,
    "voucher_id" BIGINT,
    "tax_value" NUMERIC NOT NULL,
    "secret" VARCHAR(255) NOT NULL,
    "positionid" INTEGER NOT NULL,
    "attendee_email" VARCHAR(254),
    "meta_info" TEXT,
    "subevent_id" BIGINT,
    "tax_rule_id" BIGINT,
    "pseudonymization_id" VARCHAR(16) NOT NULL,
    "attendee_name_cached" VARCHAR(255),
    "attendee_name_parts" TEXT NOT NULL,
    "canceled" BOOLEAN NOT NULL,
    "web_secret" VARCHAR(32) NOT NULL,
    "seat_id" BIGINT,
    "city" VARCHAR(255),
    "company" VARCHAR(255),
    "country" VARCHAR(2),
    "state" VARCHAR(255),
    "street" TEXT,
    "zipcode" VARCHAR(30),
    "used_membership_id" BIGINT,
    "is_bundled" BOOLEAN NOT NULL,
    "discount_id" BIGINT,
    "voucher_budget_use" NUMERIC,
    "blocked" TEXT,
    "valid_from" DATETIME,
    "valid_until" DATETIME,
    "ignore_from_quota_while_blocked" BOOLEAN NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    "tax_code" VARCHAR(190),
    "price_includes_rounding_correction" NUMERIC NOT NULL,
    "tax_value_includes_rounding_correction" NUMERIC NOT NULL,
    "tax_rate" NUMERIC NOT NULL,
    "addon_to_id" BIGINT,
    PRIMARY KEY ("id"),
    UNIQUE ("organizer_id", "secret"),
    FOREIGN KEY ("addon_to_id") REFERENCES "pretixbase_orderposition" ("id"),
    FOREIGN KEY ("discount_id") REFERENCES "pretixbase_discount" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("seat_id") REFERENCES "pretixbase_seat" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id"),
    FOREIGN KEY ("tax_rule_id") REFERENCES "pretixbase_taxrule" ("id"),
    FOREIGN KEY ("used_membership_id") REFERENCES "pretixbase_membership" ("id"),
    FOREIGN KEY ("variation_id") REFERENCES "pretixbase_itemvariation" ("id"),
    FOREIGN KEY ("voucher_id") REFERENCES "pretixbase_voucher" ("id")
);

CREATE TABLE "pretixbase_orderrefund" (
    "id" INTEGER NOT NULL,
    "local_id" INTEGER NOT NULL,
    "state" VARCHAR(190) NOT NULL,
    "source" VARCHAR(190) NOT NULL,
    "amount" NUMERIC NOT NULL,
    "created" DATETIME NOT NULL,
    "execution_date" DATETIME,
    "provider" VARCHAR(255),
    "info" TEXT,
    "order_id" BIGINT NOT NULL,
    "payment_id" BIGINT,
    "comment" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("payment_id") REFERENCES "pretixbase_orderpayment" ("id")
);

CREATE TABLE "pretixbase_ordersyncqueue" (
    "id" INTEGER NOT NULL,
    "sync_provider" VARCHAR(128) NOT NULL,
    "triggered_by" VARCHAR(128) NOT NULL,
    "triggered" DATETIME NOT NULL,
    "failed_attempts" INTEGER NOT NULL,
    "not_before" DATETIME NOT NULL,
    "need_manual_retry" VARCHAR(20),
    "in_flight" BOOLEAN NOT NULL,
    "in_flight_since" DATETIME,
    "event_id" BIGINT NOT NULL,
    "order_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("order_id", "sync_provider", "in_flight"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id")
);

CREATE TABLE "pretixbase_ordersyncresult" (
    "id" INTEGER NOT NULL,
    "sync_provider" VARCHAR(128) NOT NULL,
    "mapping_id" INTEGER NOT NULL,
    "external_object_type" VARCHAR(128) NOT NULL,
    "external_id_field" VARCHAR(128) NOT NULL,
    "id_value" VARCHAR(128) NOT NULL,
    "external_link_href" VARCHAR(255),
    "external_link_display_name" VARCHAR(255),
    "transmitted" DATETIME NOT NULL,
    "sync_info" TEXT NOT NULL,
    "order_id" BIGINT NOT NULL,
    "order_position_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("order_position_id") REFERENCES "pretixbase_orderposition" ("id")
);

CREATE TABLE "pretixbase_organizer" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "slug" VARCHAR(50) NOT NULL,
    "plugins" TEXT NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "pretixbase_organizer_settingsstore" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "value" TEXT NOT NULL,
    "object_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("object_id", "key"),
    FOREIGN KEY ("object_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_organizerfooterlink" (
    "id" INTEGER NOT NULL,
    "label" TEXT NOT NULL,
    "url" VARCHAR(200) NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_outgoingmail" (
    "id" INTEGER NOT NULL,
    "guid" VARCHAR(32) NOT NULL,
    "status" VARCHAR(200) NOT NULL,
    "created" DATETIME NOT NULL,
    "sent" DATETIME,
    "inflight_since" DATETIME,
    "retry_after" DATETIME,
    "error" TEXT,
    "error_detail" TEXT,
    "sensitive" BOOLEAN NOT NULL,
    "subject" TEXT NOT NULL,
    "body_plain" TEXT NOT NULL,
    "body_html" TEXT,
    "sender" VARCHAR(500) NOT NULL,
    "headers" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "cc" TEXT NOT NULL,
    "bcc" TEXT NOT NULL,
    "recipient_count" INTEGER NOT NULL,
    "should_attach_tickets" BOOLEAN NOT NULL,
    "should_attach_ical" BOOLEAN NOT NULL,
    "should_attach_other_files" TEXT NOT NULL,
    "actual_attachments" TEXT NOT NULL,
    "customer_id" BIGINT,
    "event_id" BIGINT,
    "order_id" BIGINT,
    "orderposition_id" BIGINT,
    "organizer_id" BIGINT,
    "user_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("orderposition_id") REFERENCES "pretixbase_orderposition" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_outgoingmail_should_attach_cached_files" (
    "id" INTEGER NOT NULL,
    "outgoingmail_id" BIGINT NOT NULL,
    "cachedfile_id" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("outgoingmail_id", "cachedfile_id"),
    FOREIGN KEY ("cachedfile_id") REFERENCES "pretixbase_cachedfile" ("id"),
    FOREIGN KEY ("outgoingmail_id") REFERENCES "pretixbase_outgoingmail" ("id")
);

CREATE TABLE "pretixbase_outgoingmail_should_attach_invoices" (
    "id" INTEGER NOT NULL,
    "outgoingmail_id" BIGINT NOT NULL,
    "invoice_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("outgoingmail_id", "invoice_id"),
    FOREIGN KEY ("invoice_id") REFERENCES "pretixbase_invoice" ("id"),
    FOREIGN KEY ("outgoingmail_id") REFERENCES "pretixbase_outgoingmail" ("id")
);

CREATE TABLE "pretixbase_printlog" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "created" DATETIME,
    "successful" BOOLEAN NOT NULL,
    "source" VARCHAR(255) NOT NULL,
    "type" VARCHAR(255) NOT NULL,
    "info" TEXT NOT NULL,
    "api_token_id" BIGINT,
    "device_id" BIGINT,
    "oauth_application_id" BIGINT,
    "position_id" BIGINT NOT NULL,
    "user_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("api_token_id") REFERENCES "pretixbase_teamapitoken" ("id"),
    FOREIGN KEY ("device_id") REFERENCES "pretixbase_device" ("id"),
    FOREIGN KEY ("oauth_application_id") REFERENCES "pretixapi_oauthapplication" ("id"),
    FOREIGN KEY ("position_id") REFERENCES "pretixbase_orderposition" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_question" (
    "id" INTEGER NOT NULL,
    "question" TEXT NOT NULL,
    "type" VARCHAR(5) NOT NULL,
    "required" BOOLEAN NOT NULL,
    "event_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "help_text" TEXT,
    "ask_during_checkin" BOOLEAN NOT NULL,
    "identifier" VARCHAR(190) NOT NULL,
    "hidden" BOOLEAN NOT NULL,
    "dependency_values" TEXT NOT NULL,
    "print_on_invoice" BOOLEAN NOT NULL,
    "valid_date_max" DATE,
    "valid_date_min" DATE,
    "valid_datetime_max" DATETIME,
    "valid_datetime_min" DATETIME,
    "valid_number_max" NUMERIC,
    "valid_number_min" NUMERIC,
    "valid_file_portrait" BOOLEAN NOT NULL,
    "valid_string_length_max" INTEGER,
    "show_during_checkin" BOOLEAN NOT NULL,
    "container_type" VARCHAR(5) NOT NULL,
    "dependency_question_id" BIGINT,
    "valid_string_length_min" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "identifier"),
    FOREIGN KEY ("dependency_question_id") REFERENCES "pretixbase_question" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixbase_question_items" (
    "id" INTEGER NOT NULL,
    "question_id" INTEGER NOT NULL,
    "item_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("question_id", "item_id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("question_id") REFERENCES "pretixbase_question" ("id")
);

CREATE TABLE "pretixbase_questionanswer" (
    "id" INTEGER NOT NULL,
    "answer" TEXT NOT NULL,
    "cartposition_id" BIGINT,
    "orderposition_id" BIGINT,
    "question_id" BIGINT NOT NULL,
    "file" VARCHAR(255),
    "checkoutsession_id" BIGINT,
    "order_id" BIGINT,
    PRIMARY KEY ("id"),
    UNIQUE ("cartposition_id", "question_id"),
    UNIQUE ("checkoutsession_id", "question_id"),
    UNIQUE ("order_id", "question_id"),
    UNIQUE ("orderposition_id", "question_id"),
    FOREIGN KEY ("cartposition_id") REFERENCES "pretixbase_cartposition" ("id"),
    FOREIGN KEY ("checkoutsession_id") REFERENCES "pretixbase_checkoutsession" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("orderposition_id") REFERENCES "pretixbase_orderposition" ("id"),
    FOREIGN KEY ("question_id") REFERENCES "pretixbase_question" ("id")
);

CREATE TABLE "pretixbase_questionanswer_options" (
    "id" INTEGER NOT NULL,
    "questionanswer_id" INTEGER NOT NULL,
    "questionoption_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("questionanswer_id", "questionoption_id"),
    FOREIGN KEY ("questionanswer_id") REFERENCES "pretixbase_questionanswer" ("id"),
    FOREIGN KEY ("questionoption_id") REFERENCES "pretixbase_questionoption" ("id")
);

CREATE TABLE "pretixbase_questionoption" (
    "id" INTEGER NOT NULL,
    "answer" TEXT NOT NULL,
    "question_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "identifier" VARCHAR(190) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("question_id") REFERENCES "pretixbase_question" ("id")
);

CREATE TABLE "pretixbase_quota" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "size" INTEGER,
    "event_id" BIGINT NOT NULL,
    "subevent_id" INTEGER,
    "close_when_sold_out" BOOLEAN NOT NULL,
    "closed" BOOLEAN NOT NULL,
    "release_after_exit" BOOLEAN NOT NULL,
    "ignore_for_event_availability" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id")
);

CREATE TABLE "pretixbase_quota_items" (
    "id" INTEGER NOT NULL,
    "quota_id" INTEGER NOT NULL,
    "item_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("quota_id", "item_id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("quota_id") REFERENCES "pretixbase_quota" ("id")
);

CREATE TABLE "pretixbase_quota_variations" (
    "id" INTEGER NOT NULL,
    "quota_id" INTEGER NOT NULL,
    "itemvariation_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("quota_id", "itemvariation_id"),
    FOREIGN KEY ("itemvariation_id") REFERENCES "pretixbase_itemvariation" ("id"),
    FOREIGN KEY ("quota_id") REFERENCES "pretixbase_quota" ("id")
);

CREATE TABLE "pretixbase_reusablemedium" (
    "id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "updated" DATETIME NOT NULL,
    "type" VARCHAR(100) NOT NULL,
    "identifier" VARCHAR(200) NOT NULL,
    "active" BOOLEAN NOT NULL,
    "expires" DATETIME,
    "info" TEXT NOT NULL,
    "notes" TEXT,
    "customer_id" BIGINT,
    "linked_giftcard_id" BIGINT,
    "organizer_id" BIGINT NOT NULL,
    "claim_token" VARCHAR(200),
    "label" VARCHAR(200),
    PRIMARY KEY ("id"),
    UNIQUE ("identifier", "type", "organizer_id"),
    FOREIGN KEY ("customer_id") REFERENCES "pretixbase_customer" ("id"),
    FOREIGN KEY ("linked_giftcard_id") REFERENCES "pretixbase_giftcard" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_reusablemedium_linked_orderpositions" (
    "id" INTEGER NOT NULL,
    "reusablemedium_id" BIGINT NOT NULL,
    "orderposition_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("reusablemedium_id", "orderposition_id"),
    FOREIGN KEY ("orderposition_id") REFERENCES "pretixbase_orderposition" ("id"),
    FOREIGN KEY ("reusablemedium_id") REFERENCES "pretixbase_reusablemedium" ("id")
);

CREATE TABLE "pretixbase_revokedticketsecret" (
    "id" INTEGER NOT NULL,
    "secret" TEXT NOT NULL,
    "created" DATETIME NOT NULL,
    "event_id" BIGINT NOT NULL,
    "position_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("position_id") REFERENCES "pretixbase_orderposition" ("id")
);

CREATE TABLE "pretixbase_saleschannel" (
    "id" INTEGER NOT NULL,
    "label" TEXT NOT NULL,
    "identifier" VARCHAR(200) NOT NULL,
    "type" VARCHAR(200) NOT NULL,
    "position" INTEGER NOT NULL,
    "configuration" TEXT NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("organizer_id", "identifier"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_scheduledeventexport" (
    "id" INTEGER NOT NULL,
    "export_identifier" VARCHAR(190) NOT NULL,
    "locale" VARCHAR(250) NOT NULL,
    "mail_additional_recipients" TEXT NOT NULL,
    "mail_additional_recipients_cc" TEXT NOT NULL,
    "mail_additional_recipients_bcc" TEXT NOT NULL,
    "mail_subject" VARCHAR(250) NOT NULL,
    "mail_template" TEXT NOT NULL,
    "schedule_rrule" TEXT,
    "schedule_rrule_time" TIME NOT NULL,
    "schedule_next_run" DATETIME,
    "error_counter" INTEGER NOT NULL,
    "error_last_message" TEXT,
    "event_id" INTEGER NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "export_form_data" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("owner_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_scheduledorganizerexport" (
    "id" INTEGER NOT NULL,
    "export_identifier" VARCHAR(190) NOT NULL,
    "locale" VARCHAR(250) NOT NULL,
    "mail_additional_recipients" TEXT NOT NULL,
    "mail_additional_recipients_cc" TEXT NOT NULL,
    "mail_additional_recipients_bcc" TEXT NOT NULL,
    "mail_subject" VARCHAR(250) NOT NULL,
    "mail_template" TEXT NOT NULL,
    "schedule_rrule" TEXT,
    "schedule_rrule_time" TIME NOT NULL,
    "schedule_next_run" DATETIME,
    "error_counter" INTEGER NOT NULL,
    "error_last_message" TEXT,
    "timezone" VARCHAR(100) NOT NULL,
    "organizer_id" INTEGER NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "export_form_data" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id"),
    FOREIGN KEY ("owner_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_seat" (
    "id" INTEGER NOT NULL,
    "blocked" BOOLEAN NOT NULL,
    "event_id" BIGINT NOT NULL,
    "product_id" BIGINT,
    "subevent_id" INTEGER,
    "seat_guid" VARCHAR(190) NOT NULL,
    "row_name" VARCHAR(190) NOT NULL,
    "seat_number" VARCHAR(190) NOT NULL,
    "zone_name" VARCHAR(190) NOT NULL,
    "sorting_rank" BIGINT NOT NULL,
    "row_label" VARCHAR(190),
    "seat_label" VARCHAR(190),
    "x" FLOAT,
    "y" FLOAT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id")
);

CREATE TABLE "pretixbase_seatcategorymapping" (
    "id" INTEGER NOT NULL,
    "layout_category" VARCHAR(190) NOT NULL,
    "event_id" BIGINT NOT NULL,
    "product_id" BIGINT NOT NULL,
    "subevent_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id")
);

CREATE TABLE "pretixbase_seatingplan" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "layout" TEXT NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_staffsession" (
    "id" INTEGER NOT NULL,
    "date_start" DATETIME NOT NULL,
    "date_end" DATETIME,
    "session_key" VARCHAR(255) NOT NULL,
    "comment" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_staffsessionauditlog" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "url" VARCHAR(255) NOT NULL,
    "session_id" BIGINT NOT NULL,
    "impersonating_id" INTEGER,
    "method" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("impersonating_id") REFERENCES "pretixbase_user" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "pretixbase_staffsession" ("id")
);

CREATE TABLE "pretixbase_subevent" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "date_from" DATETIME NOT NULL,
    "date_to" DATETIME,
    "date_admission" DATETIME,
    "presale_end" DATETIME,
    "presale_start" DATETIME,
    "location" TEXT,
    "event_id" BIGINT NOT NULL,
    "frontpage_text" TEXT,
    "is_public" BOOLEAN NOT NULL,
    "seating_plan_id" BIGINT,
    "geo_lat" FLOAT,
    "geo_lon" FLOAT,
    "last_modified" DATETIME NOT NULL,
    "comment" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("seating_plan_id") REFERENCES "pretixbase_seatingplan" ("id")
);

CREATE TABLE "pretixbase_subeventitem" (
    "id" INTEGER NOT NULL,
    "price" NUMERIC,
    "item_id" BIGINT NOT NULL,
    "subevent_id" BIGINT NOT NULL,
    "disabled" BOOLEAN NOT NULL,
    "available_from" DATETIME,
    "available_until" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id")
);

CREATE TABLE "pretixbase_subeventitemvariation" (
    "id" INTEGER NOT NULL,
    "price" NUMERIC,
    "subevent_id" BIGINT NOT NULL,
    "variation_id" BIGINT NOT NULL,
    "disabled" BOOLEAN NOT NULL,
    "available_from" DATETIME,
    "available_until" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id"),
    FOREIGN KEY ("variation_id") REFERENCES "pretixbase_itemvariation" ("id")
);

CREATE TABLE "pretixbase_subeventmetavalue" (
    "id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "property_id" BIGINT NOT NULL,
    "subevent_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("subevent_id", "property_id"),
    FOREIGN KEY ("property_id") REFERENCES "pretixbase_eventmetaproperty" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id")
);

CREATE TABLE "pretixbase_taxrule" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "price_includes_tax" BOOLEAN NOT NULL,
    "eu_reverse_charge" BOOLEAN NOT NULL,
    "home_country" VARCHAR(2) NOT NULL,
    "event_id" BIGINT NOT NULL,
    "custom_rules" TEXT,
    "internal_name" VARCHAR(190),
    "keep_gross_if_rate_changes" BOOLEAN NOT NULL,
    "code" VARCHAR(190),
    "default" BOOLEAN NOT NULL,
    "rate" NUMERIC NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixbase_team" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "all_events" BOOLEAN NOT NULL,
    "organizer_id" BIGINT NOT NULL,
    "require_2fa" BOOLEAN NOT NULL,
    "all_event_permissions" BOOLEAN NOT NULL,
    "all_organizer_permissions" BOOLEAN NOT NULL,
    "limit_event_permissions" TEXT NOT NULL,
    "limit_organizer_permissions" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "pretixbase_team_limit_events" (
    "id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("team_id", "event_id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("team_id") REFERENCES "pretixbase_team" ("id")
);

CREATE TABLE "pretixbase_team_members" (
    "id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("team_id", "user_id"),
    FOREIGN KEY ("team_id") REFERENCES "pretixbase_team" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_teamapitoken" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "active" BOOLEAN NOT NULL,
    "token" VARCHAR(64) NOT NULL,
    "team_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("team_id") REFERENCES "pretixbase_team" ("id")
);

CREATE TABLE "pretixbase_teaminvite" (
    "id" INTEGER NOT NULL,
    "email" VARCHAR(254),
    "token" VARCHAR(64),
    "team_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("team_id") REFERENCES "pretixbase_team" ("id")
);

CREATE TABLE "pretixbase_transaction" (
    "id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "datetime" DATETIME NOT NULL,
    "migrated" BOOLEAN NOT NULL,
    "positionid" INTEGER,
    "count" INTEGER NOT NULL,
    "price" NUMERIC NOT NULL,
    "tax_value" NUMERIC NOT NULL,
    "fee_type" VARCHAR(100),
    "internal_type" VARCHAR(255),
    "item_id" BIGINT,
    "order_id" BIGINT NOT NULL,
    "subevent_id" BIGINT,
    "tax_rule_id" BIGINT,
    "variation_id" BIGINT,
    "tax_code" VARCHAR(190),
    "price_includes_rounding_correction" NUMERIC NOT NULL,
    "tax_value_includes_rounding_correction" NUMERIC NOT NULL,
    "tax_rate" NUMERIC NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id"),
    FOREIGN KEY ("tax_rule_id") REFERENCES "pretixbase_taxrule" ("id"),
    FOREIGN KEY ("variation_id") REFERENCES "pretixbase_itemvariation" ("id")
);

CREATE TABLE "pretixbase_u2fdevice" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "confirmed" BOOLEAN NOT NULL,
    "json_data" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_user" (
    "id" INTEGER NOT NULL,
    "password" VARCHAR(128) NOT NULL,
    "last_login" DATETIME,
    "email" VARCHAR(190),
    "is_active" BOOLEAN NOT NULL,
    "is_staff" BOOLEAN NOT NULL,
    "date_joined" DATETIME NOT NULL,
    "locale" VARCHAR(50) NOT NULL,
    "timezone" VARCHAR(100) NOT NULL,
    "require_2fa" BOOLEAN NOT NULL,
    "fullname" VARCHAR(255),
    "notifications_send" BOOLEAN NOT NULL,
    "notifications_token" VARCHAR(255) NOT NULL,
    "auth_backend" VARCHAR(255) NOT NULL,
    "session_token" VARCHAR(32) NOT NULL,
    "needs_password_change" BOOLEAN NOT NULL,
    "auth_backend_identifier" VARCHAR(190),
    "is_verified" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("auth_backend", "auth_backend_identifier")
);

CREATE TABLE "pretixbase_user_groups" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "auth_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_user_user_permissions" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "permission_id"),
    FOREIGN KEY ("permission_id") REFERENCES "auth_permission" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_userknownloginsource" (
    "id" INTEGER NOT NULL,
    "agent_type" VARCHAR(255),
    "device_type" VARCHAR(255),
    "os_type" VARCHAR(255),
    "country" VARCHAR(2),
    "last_seen" DATETIME NOT NULL,
    "user_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "agent_type", "device_type", "os_type", "country"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixbase_voucher" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(255) NOT NULL,
    "valid_until" DATETIME,
    "block_quota" BOOLEAN NOT NULL,
    "allow_ignore_quota" BOOLEAN NOT NULL,
    "event_id" BIGINT NOT NULL,
    "item_id" BIGINT,
    "redeemed" INTEGER NOT NULL,
    "variation_id" BIGINT,
    "quota_id" BIGINT,
    "comment" TEXT NOT NULL,
    "tag" VARCHAR(255) NOT NULL,
    "max_usages" INTEGER NOT NULL,
    "price_mode" VARCHAR(100) NOT NULL,
    "value" NUMERIC,
    "subevent_id" BIGINT,
    "show_hidden_items" BOOLEAN NOT NULL,
    "seat_id" BIGINT,
    "budget" NUMERIC,
    "min_usages" INTEGER NOT NULL,
    "all_addons_included" BOOLEAN NOT NULL,
    "all_bundles_included" BOOLEAN NOT NULL,
    "created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "code"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("quota_id") REFERENCES "pretixbase_quota" ("id"),
    FOREIGN KEY ("seat_id") REFERENCES "pretixbase_seat" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id"),
    FOREIGN KEY ("variation_id") REFERENCES "pretixbase_itemvariation" ("id")
);

CREATE TABLE "pretixbase_waitinglistentry" (
    "id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "locale" VARCHAR(190) NOT NULL,
    "event_id" BIGINT NOT NULL,
    "item_id" BIGINT NOT NULL,
    "variation_id" BIGINT,
    "voucher_id" BIGINT,
    "subevent_id" BIGINT,
    "priority" INTEGER NOT NULL,
    "name_cached" VARCHAR(255),
    "name_parts" TEXT NOT NULL,
    "phone" VARCHAR(128),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id"),
    FOREIGN KEY ("variation_id") REFERENCES "pretixbase_itemvariation" ("id"),
    FOREIGN KEY ("voucher_id") REFERENCES "pretixbase_voucher" ("id")
);

CREATE TABLE "pretixbase_webauthndevice" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "confirmed" BOOLEAN NOT NULL,
    "credential_id" VARCHAR(255),
    "rp_id" VARCHAR(255),
    "icon_url" VARCHAR(255),
    "ukey" TEXT,
    "pub_key" TEXT,
    "sign_count" INTEGER NOT NULL,
    "user_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "pretixbase_user" ("id")
);

CREATE TABLE "pretixhelpers_thumbnail" (
    "id" INTEGER NOT NULL,
    "source" VARCHAR(255) NOT NULL,
    "size" VARCHAR(255) NOT NULL,
    "thumb" VARCHAR(255) NOT NULL,
    "created" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("source", "size")
);

CREATE TABLE "pretixmultidomain_alternativedomainassignment" (
    "id" INTEGER NOT NULL,
    "domain_id" VARCHAR(255) NOT NULL,
    "event_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("domain_id") REFERENCES "pretixmultidomain_knowndomain" ("domainname"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "pretixmultidomain_knowndomain" (
    "domainname" VARCHAR(255) NOT NULL,
    "organizer_id" BIGINT,
    "mode" VARCHAR(255) NOT NULL,
    "event_id" BIGINT,
    PRIMARY KEY ("domainname"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("organizer_id") REFERENCES "pretixbase_organizer" ("id")
);

CREATE TABLE "sendmail_rule" (
    "id" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "all_products" BOOLEAN NOT NULL,
    "send_date" DATETIME,
    "send_offset_days" INTEGER,
    "send_offset_time" TIME,
    "date_is_absolute" BOOLEAN NOT NULL,
    "offset_to_event_end" BOOLEAN NOT NULL,
    "offset_is_after" BOOLEAN NOT NULL,
    "send_to" VARCHAR(10) NOT NULL,
    "event_id" BIGINT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "attach_ical" BOOLEAN NOT NULL,
    "restrict_to_status" TEXT NOT NULL,
    "subevent_id" BIGINT,
    "checked_in_status" VARCHAR(10),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id")
);

CREATE TABLE "sendmail_rule_limit_products" (
    "id" INTEGER NOT NULL,
    "rule_id" BIGINT NOT NULL,
    "item_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("rule_id", "item_id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("rule_id") REFERENCES "sendmail_rule" ("id")
);

CREATE TABLE "sendmail_scheduledmail" (
    "id" INTEGER NOT NULL,
    "last_computed" DATETIME NOT NULL,
    "computed_datetime" DATETIME NOT NULL,
    "state" VARCHAR(100) NOT NULL,
    "last_successful_order_id" BIGINT,
    "event_id" BIGINT NOT NULL,
    "rule_id" BIGINT NOT NULL,
    "subevent_id" BIGINT,
    PRIMARY KEY ("id"),
    UNIQUE ("rule_id", "subevent_id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id"),
    FOREIGN KEY ("rule_id") REFERENCES "sendmail_rule" ("id"),
    FOREIGN KEY ("subevent_id") REFERENCES "pretixbase_subevent" ("id")
);

CREATE TABLE "stripe_referencedstripeobject" (
    "id" INTEGER NOT NULL,
    "reference" VARCHAR(190) NOT NULL,
    "order_id" BIGINT NOT NULL,
    "payment_id" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "pretixbase_order" ("id"),
    FOREIGN KEY ("payment_id") REFERENCES "pretixbase_orderpayment" ("id")
);

CREATE TABLE "stripe_registeredapplepaydomain" (
    "id" INTEGER NOT NULL,
    "domain" VARCHAR(190) NOT NULL,
    "account" VARCHAR(190) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "ticketoutputpdf_ticketlayout" (
    "id" INTEGER NOT NULL,
    "default" BOOLEAN NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "background" VARCHAR(255),
    "event_id" BIGINT NOT NULL,
    "layout" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "pretixbase_event" ("id")
);

CREATE TABLE "ticketoutputpdf_ticketlayoutitem" (
    "id" INTEGER NOT NULL,
    "item_id" BIGINT,
    "layout_id" BIGINT NOT NULL,
    "sales_channel_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("item_id", "layout_id", "sales_channel_id"),
    FOREIGN KEY ("item_id") REFERENCES "pretixbase_item" ("id"),
    FOREIGN KEY ("layout_id") REFERENCES "ticketoutputpdf_ticketlayout" ("id"),
    FOREIGN KEY ("sales_channel_id") REFERENCES "pretixbase_saleschannel" ("id")
);
