CREATE TABLE "accounts_auditlog" (
    "id" INTEGER NOT NULL,
    "activity" VARCHAR(20) NOT NULL,
    "address" TEXT,
    "timestamp" DATETIME NOT NULL,
    "user_id" INTEGER,
    "user_agent" VARCHAR(200) NOT NULL,
    "params" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "accounts_profile" (
    "id" INTEGER NOT NULL,
    "language" VARCHAR(10) NOT NULL,
    "suggested" INTEGER NOT NULL,
    "translated" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "hide_completed" BOOLEAN NOT NULL,
    "secondary_in_zen" BOOLEAN NOT NULL,
    "hide_source_secondary" BOOLEAN NOT NULL,
    "dashboard_component_list_id" INTEGER,
    "dashboard_view" INTEGER NOT NULL,
    "editor_link" VARCHAR(200) NOT NULL,
    "special_chars" VARCHAR(30) NOT NULL,
    "uploaded" INTEGER NOT NULL,
    "translate_mode" INTEGER NOT NULL,
    "zen_mode" INTEGER NOT NULL,
    "nearby_strings" SMALLINT NOT NULL,
    "commented" INTEGER NOT NULL,
    "company" VARCHAR(100) NOT NULL,
    "github" VARCHAR(50) NOT NULL,
    "linkedin" VARCHAR(50) NOT NULL,
    "location" VARCHAR(100) NOT NULL,
    "public_email" VARCHAR(190) NOT NULL,
    "twitter" VARCHAR(50) NOT NULL,
    "website" VARCHAR(200) NOT NULL,
    "codesite" VARCHAR(200) NOT NULL,
    "fediverse" VARCHAR(200) NOT NULL,
    "liberapay" VARCHAR(50) NOT NULL,
    "auto_watch" BOOLEAN NOT NULL,
    "commit_email" VARCHAR(190) NOT NULL,
    "theme" VARCHAR(10) NOT NULL,
    "last_2fa" VARCHAR(15) NOT NULL,
    "contact" VARCHAR(200) NOT NULL,
    "contribute_personal_tm" BOOLEAN NOT NULL,
    "commit_name" INTEGER NOT NULL,
    "wide_tables" BOOLEAN NOT NULL,
    "listing_columns" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id"),
    FOREIGN KEY ("dashboard_component_list_id") REFERENCES "trans_componentlist" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "accounts_profile_languages" (
    "id" INTEGER NOT NULL,
    "profile_id" INTEGER NOT NULL,
    "language_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("profile_id", "language_id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("profile_id") REFERENCES "accounts_profile" ("id")
);

CREATE TABLE "accounts_profile_secondary_languages" (
    "id" INTEGER NOT NULL,
    "profile_id" INTEGER NOT NULL,
    "language_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("profile_id", "language_id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("profile_id") REFERENCES "accounts_profile" ("id")
);

CREATE TABLE "accounts_profile_watched" (
    "id" INTEGER NOT NULL,
    "profile_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("profile_id", "project_id"),
    FOREIGN KEY ("profile_id") REFERENCES "accounts_profile" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id")
);

CREATE TABLE "accounts_subscription" (
    "id" INTEGER NOT NULL,
    "notification" VARCHAR(100) NOT NULL,
    "scope" INTEGER NOT NULL,
    "frequency" INTEGER NOT NULL,
    "component_id" INTEGER,
    "project_id" INTEGER,
    "user_id" INTEGER NOT NULL,
    "onetime" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("notification", "scope", "project_id", "component_id", "user_id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "accounts_verifiedemail" (
    "id" INTEGER NOT NULL,
    "email" VARCHAR(190) NOT NULL,
    "social_id" BIGINT NOT NULL,
    "is_deliverable" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("social_id") REFERENCES "social_auth_usersocialauth" ("id")
);

CREATE TABLE "addons_addon" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "component_id" INTEGER,
    "repo_scope" BOOLEAN NOT NULL,
    "configuration" JSON NOT NULL,
    "state" JSON NOT NULL,
    "project_id" INTEGER,
    "category_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "trans_category" ("id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id")
);

CREATE TABLE "addons_addonactivitylog" (
    "id" INTEGER NOT NULL,
    "event" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "details" JSON NOT NULL,
    "addon_id" INTEGER NOT NULL,
    "component_id" INTEGER,
    "status" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("addon_id") REFERENCES "addons_addon" ("id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id")
);

CREATE TABLE "addons_event" (
    "id" INTEGER NOT NULL,
    "event" INTEGER NOT NULL,
    "addon_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("addon_id", "event"),
    FOREIGN KEY ("addon_id") REFERENCES "addons_addon" ("id")
);

CREATE TABLE "auth_group" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(150) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
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
    "name" VARCHAR(255) NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "codename" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "codename"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "authtoken_token" (
    "key" VARCHAR(40) NOT NULL,
    "created" DATETIME NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("key"),
    UNIQUE ("user_id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "billing_billing" (
    "id" INTEGER NOT NULL,
    "plan_id" INTEGER NOT NULL,
    "state" INTEGER NOT NULL,
    "in_limits" BOOLEAN NOT NULL,
    "paid" BOOLEAN NOT NULL,
    "expiry" DATETIME,
    "removal" DATETIME,
    "payment" JSON NOT NULL,
    "inactive_recurring_disable" DATETIME,
    "inactive_recurring_latest_commit" DATETIME,
    "inactive_recurring_oldest_pending_change" DATETIME,
    "inactive_recurring_push_failure" DATETIME,
    "inactive_recurring_repository_changes" DATETIME,
    "inactive_recurring_notification" DATETIME,
    "customer_name" VARCHAR(200) NOT NULL,
    "workspace_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("workspace_id"),
    FOREIGN KEY ("plan_id") REFERENCES "billing_plan" ("id"),
    FOREIGN KEY ("workspace_id") REFERENCES "workspaces_workspace" ("id")
);

CREATE TABLE "billing_billinglog" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "event" INTEGER NOT NULL,
    "summary" VARCHAR(200) NOT NULL,
    "billing_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "details" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("billing_id") REFERENCES "billing_billing" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "billing_invoice" (
    "id" INTEGER NOT NULL,
    "start" DATE NOT NULL,
    "end" DATE NOT NULL,
    "currency" INTEGER NOT NULL,
    "ref" VARCHAR(50) NOT NULL,
    "note" TEXT NOT NULL,
    "billing_id" INTEGER NOT NULL,
    "amount" DOUBLE NOT NULL,
    "payment" JSON NOT NULL,
    "created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("billing_id") REFERENCES "billing_billing" ("id")
);

CREATE TABLE "billing_plan" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "price" INTEGER NOT NULL,
    "limit_strings" INTEGER NOT NULL,
    "limit_languages" INTEGER NOT NULL,
    "limit_projects" INTEGER NOT NULL,
    "yearly_price" INTEGER NOT NULL,
    "display_limit_languages" INTEGER NOT NULL,
    "display_limit_projects" INTEGER NOT NULL,
    "display_limit_strings" INTEGER NOT NULL,
    "change_access_control" BOOLEAN NOT NULL,
    "public" BOOLEAN NOT NULL,
    "slug" VARCHAR(100) NOT NULL,
    "display_limit_hosted_strings" INTEGER NOT NULL,
    "limit_hosted_strings" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    UNIQUE ("slug")
);

CREATE TABLE "checks_check" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(50) NOT NULL,
    "dismissed" BOOLEAN NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "metadata" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("unit_id", "name"),
    FOREIGN KEY ("unit_id") REFERENCES "trans_unit" ("id")
);

CREATE TABLE "configuration_setting" (
    "id" INTEGER NOT NULL,
    "category" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "value" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("category", "name")
);

CREATE TABLE "django_admin_log" (
    "id" INTEGER NOT NULL,
    "action_time" DATETIME NOT NULL,
    "object_id" TEXT,
    "object_repr" VARCHAR(200) NOT NULL,
    "action_flag" SMALLINT NOT NULL,
    "change_message" TEXT NOT NULL,
    "content_type_id" INTEGER,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "django_celery_beat_clockedschedule" (
    "id" INTEGER NOT NULL,
    "clocked_time" DATETIME NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_celery_beat_crontabschedule" (
    "id" INTEGER NOT NULL,
    "minute" VARCHAR(240) NOT NULL,
    "hour" VARCHAR(96) NOT NULL,
    "day_of_week" VARCHAR(64) NOT NULL,
    "day_of_month" VARCHAR(124) NOT NULL,
    "month_of_year" VARCHAR(64) NOT NULL,
    "timezone" VARCHAR(63) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_celery_beat_intervalschedule" (
    "id" INTEGER NOT NULL,
    "every" INTEGER NOT NULL,
    "period" VARCHAR(24) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_celery_beat_periodictask" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "task" VARCHAR(200) NOT NULL,
    "args" TEXT NOT NULL,
    "kwargs" TEXT NOT NULL,
    "queue" VARCHAR(200),
    "exchange" VARCHAR(200),
    "routing_key" VARCHAR(200),
    "expires" DATETIME,
    "enabled" BOOLEAN NOT NULL,
    "last_run_at" DATETIME,
    "total_run_count" INTEGER NOT NULL,
    "date_changed" DATETIME NOT NULL,
    "description" TEXT NOT NULL,
    "crontab_id" INTEGER,
    "interval_id" INTEGER,
    "solar_id" INTEGER,
    "one_off" BOOLEAN NOT NULL,
    "start_time" DATETIME,
    "priority" INTEGER,
    "headers" TEXT NOT NULL,
    "clocked_id" INTEGER,
    "expire_seconds" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("clocked_id") REFERENCES "django_celery_beat_clockedschedule" ("id"),
    FOREIGN KEY ("crontab_id") REFERENCES "django_celery_beat_crontabschedule" ("id"),
    FOREIGN KEY ("interval_id") REFERENCES "django_celery_beat_intervalschedule" ("id"),
    FOREIGN KEY ("solar_id") REFERENCES "django_celery_beat_solarschedule" ("id")
);

CREATE TABLE "django_celery_beat_periodictasks" (
    "ident" SMALLINT NOT NULL,
    "last_update" DATETIME NOT NULL,
    PRIMARY KEY ("ident")
);

CREATE TABLE "django_celery_beat_solarschedule" (
    "id" INTEGER NOT NULL,
    "event" VARCHAR(24) NOT NULL,
    "latitude" NUMERIC(9, 6) NOT NULL,
    "longitude" NUMERIC(9, 6) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event", "latitude", "longitude")
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

CREATE TABLE "django_otp_webauthn_webauthnattestation" (
    "id" BIGINT NOT NULL,
    "fmt" VARCHAR(255) NOT NULL,
    "data" BLOB NOT NULL,
    "client_data_json" BLOB NOT NULL,
    "credential_id" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("credential_id"),
    FOREIGN KEY ("credential_id") REFERENCES "django_otp_webauthn_webauthncredential" ("id")
);

CREATE TABLE "django_otp_webauthn_webauthncredential" (
    "id" BIGINT NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "confirmed" BOOLEAN NOT NULL,
    "credential_type" VARCHAR(32) NOT NULL,
    "credential_id" BLOB NOT NULL,
    "public_key" BLOB NOT NULL,
    "transports" JSON NOT NULL,
    "sign_count" INTEGER NOT NULL,
    "backup_eligible" BOOLEAN NOT NULL,
    "backup_state" BOOLEAN NOT NULL,
    "created_at" DATETIME,
    "last_used_at" DATETIME,
    "aaguid" VARCHAR(36) NOT NULL,
    "credential_id_sha256" VARCHAR(64) NOT NULL,
    "discoverable" BOOLEAN,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("credential_id_sha256"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "django_otp_webauthn_webauthnuserhandle" (
    "handle_hex" VARCHAR(128) NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("user_id"),
    UNIQUE ("handle_hex"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "django_session" (
    "session_key" VARCHAR(40) NOT NULL,
    "session_data" TEXT NOT NULL,
    "expire_date" DATETIME NOT NULL,
    PRIMARY KEY ("session_key")
);

CREATE TABLE "fonts_font" (
    "id" INTEGER NOT NULL,
    "family" VARCHAR(100) NOT NULL,
    "style" VARCHAR(100) NOT NULL,
    "font" VARCHAR(100) NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "project_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("family", "style", "project_id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "fonts_fontgroup" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "font_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("project_id", "name"),
    FOREIGN KEY ("font_id") REFERENCES "fonts_font" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id")
);

CREATE TABLE "fonts_fontoverride" (
    "id" INTEGER NOT NULL,
    "font_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "language_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "language_id"),
    FOREIGN KEY ("font_id") REFERENCES "fonts_font" ("id"),
    FOREIGN KEY ("group_id") REFERENCES "fonts_fontgroup" ("id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id")
);

CREATE TABLE "kotlin_sdk_kotlinsdkartifact" (
    "id" INTEGER NOT NULL,
    "digest" VARCHAR(64) NOT NULL,
    "unreferenced" DATETIME,
    "addon_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("addon_id", "digest"),
    FOREIGN KEY ("addon_id") REFERENCES "addons_addon" ("id")
);

CREATE TABLE "kotlin_sdk_kotlinsdkartifact_builds" (
    "id" INTEGER NOT NULL,
    "kotlinsdkartifact_id" INTEGER NOT NULL,
    "kotlinsdkbuild_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("kotlinsdkartifact_id", "kotlinsdkbuild_id"),
    FOREIGN KEY ("kotlinsdkartifact_id") REFERENCES "kotlin_sdk_kotlinsdkartifact" ("id"),
    FOREIGN KEY ("kotlinsdkbuild_id") REFERENCES "kotlin_sdk_kotlinsdkbuild" ("id")
);

CREATE TABLE "kotlin_sdk_kotlinsdkbuild" (
    "id" INTEGER NOT NULL,
    "package_name" VARCHAR(127) NOT NULL,
    "version_code" BIGINT NOT NULL,
    "metadata" JSON NOT NULL,
    "pending_manifest" JSON NOT NULL,
    "digest" VARCHAR(64) NOT NULL,
    "created" DATETIME NOT NULL,
    "retired" DATETIME,
    "status" VARCHAR(16) NOT NULL,
    "error" TEXT NOT NULL,
    "published" DATETIME,
    "addon_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("addon_id", "package_name", "version_code"),
    FOREIGN KEY ("addon_id") REFERENCES "addons_addon" ("id")
);

CREATE TABLE "kotlin_sdk_kotlinsdkcleanup" (
    "id" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "build_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("build_id"),
    UNIQUE ("path"),
    FOREIGN KEY ("build_id") REFERENCES "kotlin_sdk_kotlinsdkbuild" ("id")
);

CREATE TABLE "lang_language" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(50) NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "direction" VARCHAR(3) NOT NULL,
    "population" BIGINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("code")
);

CREATE TABLE "lang_plural" (
    "id" INTEGER NOT NULL,
    "source" SMALLINT NOT NULL,
    "number" SMALLINT NOT NULL,
    "formula" TEXT NOT NULL,
    "type" INTEGER NOT NULL,
    "language_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id")
);

CREATE TABLE "legal_agreement" (
    "id" INTEGER NOT NULL,
    "tos" DATE NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "user_id" INTEGER NOT NULL,
    "address" TEXT,
    "user_agent" VARCHAR(200) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "memory_memory" (
    "id" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "legacy_from_file" BOOLEAN NOT NULL,
    "legacy_shared" BOOLEAN NOT NULL,
    "legacy_project_id" INTEGER,
    "source_language_id" INTEGER NOT NULL,
    "target_language_id" INTEGER NOT NULL,
    "legacy_user_id" INTEGER,
    "status" INTEGER NOT NULL,
    "context" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("legacy_project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("legacy_user_id") REFERENCES "weblate_auth_user" ("id"),
    FOREIGN KEY ("source_language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("target_language_id") REFERENCES "lang_language" ("id")
);

CREATE TABLE "memory_memoryscope" (
    "id" INTEGER NOT NULL,
    "scope" SMALLINT NOT NULL,
    "memory_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "workspace_id" CHAR(32),
    "source_project_id" INTEGER,
    "user_id" INTEGER,
    "source_component_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("memory_id") REFERENCES "memory_memory" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("source_component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("source_project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id"),
    FOREIGN KEY ("workspace_id") REFERENCES "workspaces_workspace" ("id")
);

CREATE TABLE "memory_memoryscopemigrationstate" (
    "name" VARCHAR(50) NOT NULL,
    "last_memory_id" INTEGER NOT NULL,
    "completed" BOOLEAN NOT NULL,
    "updated" DATETIME NOT NULL,
    PRIMARY KEY ("name")
);

CREATE TABLE "metrics_metric" (
    "id" BIGINT NOT NULL,
    "date" DATE NOT NULL,
    "scope" SMALLINT NOT NULL,
    "relation" INTEGER NOT NULL,
    "secondary" INTEGER NOT NULL,
    "changes" INTEGER NOT NULL,
    "data" JSON,
    PRIMARY KEY ("id"),
    UNIQUE ("scope", "relation", "secondary", "date")
);

CREATE TABLE "otp_static_staticdevice" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "confirmed" BOOLEAN NOT NULL,
    "user_id" INTEGER NOT NULL,
    "throttling_failure_count" INTEGER NOT NULL,
    "throttling_failure_timestamp" DATETIME,
    "created_at" DATETIME,
    "last_used_at" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
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
    "step" SMALLINT NOT NULL,
    "t0" BIGINT NOT NULL,
    "digits" SMALLINT NOT NULL,
    "tolerance" SMALLINT NOT NULL,
    "drift" SMALLINT NOT NULL,
    "last_t" BIGINT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "throttling_failure_count" INTEGER NOT NULL,
    "throttling_failure_timestamp" DATETIME,
    "created_at" DATETIME,
    "last_used_at" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "screenshots_screenshot" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "image" VARCHAR(100) NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "user_id" INTEGER,
    "translation_id" INTEGER NOT NULL,
    "repository_filename" VARCHAR(200) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("translation_id") REFERENCES "trans_translation" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "screenshots_screenshot_units" (
    "id" INTEGER NOT NULL,
    "screenshot_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("screenshot_id", "unit_id"),
    FOREIGN KEY ("screenshot_id") REFERENCES "screenshots_screenshot" ("id"),
    FOREIGN KEY ("unit_id") REFERENCES "trans_unit" ("id")
);

CREATE TABLE "social_auth_association" (
    "id" BIGINT NOT NULL,
    "server_url" VARCHAR(255) NOT NULL,
    "handle" VARCHAR(255) NOT NULL,
    "secret" VARCHAR(255) NOT NULL,
    "issued" INTEGER NOT NULL,
    "lifetime" INTEGER NOT NULL,
    "assoc_type" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("server_url", "handle")
);

CREATE TABLE "social_auth_code" (
    "id" BIGINT NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "code" VARCHAR(32) NOT NULL,
    "verified" BOOLEAN NOT NULL,
    "timestamp" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("email", "code")
);

CREATE TABLE "social_auth_nonce" (
    "id" BIGINT NOT NULL,
    "server_url" VARCHAR(255) NOT NULL,
    "timestamp" INTEGER NOT NULL,
    "salt" VARCHAR(65) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("server_url", "timestamp", "salt")
);

CREATE TABLE "social_auth_partial" (
    "id" BIGINT NOT NULL,
    "token" VARCHAR(32) NOT NULL,
    "next_step" SMALLINT NOT NULL,
    "backend" VARCHAR(32) NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "data" JSON NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "social_auth_usersocialauth" (
    "id" BIGINT NOT NULL,
    "provider" VARCHAR(32) NOT NULL,
    "uid" VARCHAR(255) NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "modified" DATETIME NOT NULL,
    "extra_data" JSON NOT NULL,
    "id_key" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("provider", "uid"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "trans_alert" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "name" VARCHAR(150) NOT NULL,
    "component_id" INTEGER NOT NULL,
    "updated" DATETIME NOT NULL,
    "details" JSON NOT NULL,
    "severity" SMALLINT NOT NULL,
    "dismissal_fingerprint" VARCHAR(64) NOT NULL,
    "dismissal_reason" VARCHAR(500) NOT NULL,
    "dismissed_at" DATETIME,
    "dismissed_by_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("component_id", "name"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("dismissed_by_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "trans_announcement" (
    "id" INTEGER NOT NULL,
    "message" TEXT NOT NULL,
    "language_id" INTEGER,
    "project_id" INTEGER,
    "component_id" INTEGER,
    "severity" VARCHAR(25) NOT NULL,
    "expiry" DATE,
    "notify" BOOLEAN NOT NULL,
    "category_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "trans_category" ("id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id")
);

CREATE TABLE "trans_autocomponentlist" (
    "id" INTEGER NOT NULL,
    "project_match" VARCHAR(200) NOT NULL,
    "component_match" VARCHAR(200) NOT NULL,
    "componentlist_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("componentlist_id") REFERENCES "trans_componentlist" ("id")
);

CREATE TABLE "trans_category" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "slug" VARCHAR(100) NOT NULL,
    "category_id" INTEGER,
    "project_id" INTEGER NOT NULL,
    "add_message" TEXT NOT NULL,
    "addon_message" TEXT NOT NULL,
    "agreement" TEXT NOT NULL,
    "check_flags" TEXT NOT NULL,
    "commit_message" TEXT NOT NULL,
    "delete_message" TEXT NOT NULL,
    "inherit_add_message" BOOLEAN NOT NULL,
    "inherit_addon_message" BOOLEAN NOT NULL,
    "inherit_agreement" BOOLEAN NOT NULL,
    "inherit_commit_message" BOOLEAN NOT NULL,
    "inherit_delete_message" BOOLEAN NOT NULL,
    "inherit_language_code_style" BOOLEAN NOT NULL,
    "inherit_license" BOOLEAN NOT NULL,
    "inherit_merge_message" BOOLEAN NOT NULL,
    "inherit_new_lang" BOOLEAN NOT NULL,
    "inherit_pull_message" BOOLEAN NOT NULL,
    "inherit_secondary_language" BOOLEAN NOT NULL,
    "language_code_style" VARCHAR(20) NOT NULL,
    "license" VARCHAR(150) NOT NULL,
    "merge_message" TEXT NOT NULL,
    "new_lang" VARCHAR(10) NOT NULL,
    "pull_message" TEXT NOT NULL,
    "secondary_language_id" INTEGER,
    "enforced_checks" JSON NOT NULL,
    "inherit_enforced_checks" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("project_id", "category_id", "name"),
    UNIQUE ("project_id", "category_id", "slug"),
    FOREIGN KEY ("category_id") REFERENCES "trans_category" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("secondary_language_id") REFERENCES "lang_language" ("id")
);

CREATE TABLE "trans_change" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "action" INTEGER NOT NULL,
    "target" TEXT NOT NULL,
    "author_id" INTEGER,
    "translation_id" INTEGER,
    "unit_id" INTEGER,
    "user_id" INTEGER,
    "component_id" INTEGER,
    "language_id" INTEGER,
    "old" TEXT NOT NULL,
    "project_id" INTEGER,
    "comment_id" INTEGER,
    "suggestion_id" INTEGER,
    "alert_id" INTEGER,
    "announcement_id" INTEGER,
    "details" JSON NOT NULL,
    "screenshot_id" INTEGER,
    "category_id" INTEGER,
    "workspace_id" CHAR(32),
    "addon_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("addon_id") REFERENCES "addons_addon" ("id"),
    FOREIGN KEY ("alert_id") REFERENCES "trans_alert" ("id"),
    FOREIGN KEY ("announcement_id") REFERENCES "trans_announcement" ("id"),
    FOREIGN KEY ("author_id") REFERENCES "weblate_auth_user" ("id"),
    FOREIGN KEY ("category_id") REFERENCES "trans_category" ("id"),
    FOREIGN KEY ("comment_id") REFERENCES "trans_comment" ("id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("screenshot_id") REFERENCES "screenshots_screenshot" ("id"),
    FOREIGN KEY ("suggestion_id") REFERENCES "trans_suggestion" ("id"),
    FOREIGN KEY ("translation_id") REFERENCES "trans_translation" ("id"),
    FOREIGN KEY ("unit_id") REFERENCES "trans_unit" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id"),
    FOREIGN KEY ("workspace_id") REFERENCES "workspaces_workspace" ("id")
);

CREATE TABLE "trans_comment" (
    "id" INTEGER NOT NULL,
    "comment" TEXT NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "user_id" INTEGER,
    "unit_id" INTEGER NOT NULL,
    "resolved" BOOLEAN NOT NULL,
    "userdetails" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("unit_id") REFERENCES "trans_unit" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "trans_component" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "slug" VARCHAR(100) NOT NULL,
    "repo" VARCHAR(300) NOT NULL,
    "push" VARCHAR(300) NOT NULL,
    "repoweb" VARCHAR(200) NOT NULL,
    "git_export" VARCHAR(220) NOT NULL,
    "report_source_bugs" VARCHAR(190) NOT NULL,
    "branch" VARCHAR(200) NOT NULL,
    "filemask" VARCHAR(400) NOT NULL,
    "template" VARCHAR(400) NOT NULL,
    "new_base" VARCHAR(400) NOT NULL,
    "intermediate" VARCHAR(400) NOT NULL,
    "file_format" VARCHAR(50) NOT NULL,
    "locked" BOOLEAN NOT NULL,
    "allow_translation_propagation" BOOLEAN NOT NULL,
    "enable_suggestions" BOOLEAN NOT NULL,
    "suggestion_voting" BOOLEAN NOT NULL,
    "suggestion_autoaccept" SMALLINT NOT NULL,
    "check_flags" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "commit_message" TEXT NOT NULL,
    "license" VARCHAR(150) NOT NULL,
    "merge_style" VARCHAR(10) NOT NULL,
    "new_lang" VARCHAR(10) NOT NULL,
    "vcs" VARCHAR(20) NOT NULL,
    "edit_template" BOOLEAN NOT NULL,
    "agreement" TEXT NOT NULL,
    "language_regex" VARCHAR(500) NOT NULL,
    "add_message" TEXT NOT NULL,
    "delete_message" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "commit_pending_age" SMALLINT NOT NULL,
    "push_on_commit" BOOLEAN NOT NULL,
    "linked_component_id" INTEGER,
    "merge_message" TEXT NOT NULL,
    "addon_message" TEXT NOT NULL,
    "language_code_style" VARCHAR(20) NOT NULL,
    "variant_regex" VARCHAR(190) NOT NULL,
    "push_branch" VARCHAR(200) NOT NULL,
    "restricted" BOOLEAN NOT NULL,
    "auto_lock_error" BOOLEAN NOT NULL,
    "source_language_id" INTEGER NOT NULL,
    "manage_units" BOOLEAN NOT NULL,
    "glossary_color" VARCHAR(30) NOT NULL,
    "is_glossary" BOOLEAN NOT NULL,
    "remote_revision" VARCHAR(200) NOT NULL,
    "local_revision" VARCHAR(200) NOT NULL,
    "pull_message" TEXT NOT NULL,
    "screenshot_filemask" VARCHAR(400) NOT NULL,
    "enforced_checks" JSON NOT NULL,
    "category_id" INTEGER,
    "processed_revision" VARCHAR(200) NOT NULL,
    "key_filter" VARCHAR(500) NOT NULL,
    "secondary_language_id" INTEGER,
    "contribute_project_tm" BOOLEAN NOT NULL,
    "file_format_params" JSON NOT NULL,
    "hide_glossary_matches" BOOLEAN NOT NULL,
    "inherit_add_message" BOOLEAN NOT NULL,
    "inherit_addon_message" BOOLEAN NOT NULL,
    "inherit_agreement" BOOLEAN NOT NULL,
    "inherit_commit_message" BOOLEAN NOT NULL,
    "inherit_delete_message" BOOLEAN NOT NULL,
    "inherit_language_code_style" BOOLEAN NOT NULL,
    "inherit_license" BOOLEAN NOT NULL,
    "inherit_merge_message" BOOLEAN NOT NULL,
    "inherit_new_lang" BOOLEAN NOT NULL,
    "inherit_pull_message" BOOLEAN NOT NULL,
    "inherit_secondary_language" BOOLEAN NOT NULL,
    "vcs_params" JSON NOT NULL,
    "inherit_enforced_checks" BOOLEAN NOT NULL,
    "repoweb_translations" VARCHAR(200) NOT NULL,
    "pull_request_url" VARCHAR(2048) NOT NULL,
    "push_on_update" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("project_id", "category_id", "name"),
    UNIQUE ("project_id", "category_id", "slug"),
    FOREIGN KEY ("category_id") REFERENCES "trans_category" ("id"),
    FOREIGN KEY ("linked_component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("secondary_language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("source_language_id") REFERENCES "lang_language" ("id")
);

CREATE TABLE "trans_component_links" (
    "id" INTEGER NOT NULL,
    "component_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "category_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("component_id", "project_id"),
    FOREIGN KEY ("category_id") REFERENCES "trans_category" ("id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id")
);

CREATE TABLE "trans_componentlist" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "slug" VARCHAR(100) NOT NULL,
    "show_dashboard" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    UNIQUE ("slug")
);

CREATE TABLE "trans_componentlist_components" (
    "id" INTEGER NOT NULL,
    "componentlist_id" INTEGER NOT NULL,
    "component_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("componentlist_id", "component_id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("componentlist_id") REFERENCES "trans_componentlist" ("id")
);

CREATE TABLE "trans_contributoragreement" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "component_id" INTEGER,
    "user_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "workspace_id" CHAR(32),
    "category_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "trans_category" ("id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id"),
    FOREIGN KEY ("workspace_id") REFERENCES "workspaces_workspace" ("id")
);

CREATE TABLE "trans_label" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(190) NOT NULL,
    "color" VARCHAR(30) NOT NULL,
    "project_id" INTEGER NOT NULL,
    "description" VARCHAR(250) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("project_id", "name"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id")
);

CREATE TABLE "trans_pendingunitchange" (
    "id" INTEGER NOT NULL,
    "target" TEXT NOT NULL,
    "explanation" TEXT NOT NULL,
    "source_unit_explanation" TEXT NOT NULL,
    "state" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "add_unit" BOOLEAN NOT NULL,
    "author_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "metadata" JSON NOT NULL,
    "automatically_translated" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("author_id") REFERENCES "weblate_auth_user" ("id"),
    FOREIGN KEY ("unit_id") REFERENCES "trans_unit" ("id")
);

CREATE TABLE "trans_project" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(60) NOT NULL,
    "slug" VARCHAR(60) NOT NULL,
    "web" VARCHAR(200) NOT NULL,
    "instructions" TEXT NOT NULL,
    "enable_hooks" BOOLEAN NOT NULL,
    "access_control" INTEGER NOT NULL,
    "translation_review" BOOLEAN NOT NULL,
    "source_review" BOOLEAN NOT NULL,
    "use_shared_tm" BOOLEAN NOT NULL,
    "contribute_shared_tm" BOOLEAN NOT NULL,
    "language_aliases" TEXT NOT NULL,
    "machinery_settings" JSON NOT NULL,
    "enforced_2fa" BOOLEAN NOT NULL,
    "secondary_language_id" INTEGER,
    "check_flags" TEXT NOT NULL,
    "commit_policy" INTEGER NOT NULL,
    "autoclean_tm" BOOLEAN NOT NULL,
    "workspace_id" CHAR(32),
    "add_message" TEXT NOT NULL,
    "addon_message" TEXT NOT NULL,
    "agreement" TEXT NOT NULL,
    "commit_message" TEXT NOT NULL,
    "delete_message" TEXT NOT NULL,
    "inherit_add_message" BOOLEAN NOT NULL,
    "inherit_addon_message" BOOLEAN NOT NULL,
    "inherit_agreement" BOOLEAN NOT NULL,
    "inherit_commit_message" BOOLEAN NOT NULL,
    "inherit_delete_message" BOOLEAN NOT NULL,
    "inherit_language_code_style" BOOLEAN NOT NULL,
    "inherit_license" BOOLEAN NOT NULL,
    "inherit_merge_message" BOOLEAN NOT NULL,
    "inherit_new_lang" BOOLEAN NOT NULL,
    "inherit_pull_message" BOOLEAN NOT NULL,
    "inherit_secondary_language" BOOLEAN NOT NULL,
    "language_code_style" VARCHAR(20) NOT NULL,
    "license" VARCHAR(150) NOT NULL,
    "merge_message" TEXT NOT NULL,
    "new_lang" VARCHAR(10) NOT NULL,
    "pull_message" TEXT NOT NULL,
    "contribute_workspace_tm" BOOLEAN NOT NULL,
    "use_workspace_tm" BOOLEAN NOT NULL,
    "public_sharing" BOOLEAN NOT NULL,
    "enforced_checks" JSON NOT NULL,
    "inherit_enforced_checks" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    UNIQUE ("slug"),
    FOREIGN KEY ("secondary_language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("workspace_id") REFERENCES "workspaces_workspace" ("id")
);

CREATE TABLE "trans_report" (
    "id" INTEGER NOT NULL,
    "created" DATETIME NOT NULL,
    "kind" VARCHAR(32) NOT NULL,
    "version" SMALLINT NOT NULL,
    "parameters" JSON NOT NULL,
    "data" JSON NOT NULL,
    "category_id" INTEGER,
    "component_id" INTEGER,
    "creator_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "workspace_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "trans_category" ("id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("creator_id") REFERENCES "weblate_auth_user" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("workspace_id") REFERENCES "workspaces_workspace" ("id")
);

CREATE TABLE "trans_suggestion" (
    "id" INTEGER NOT NULL,
    "target" TEXT NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "timestamp" DATETIME NOT NULL,
    "userdetails" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("unit_id") REFERENCES "trans_unit" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "trans_translation" (
    "id" INTEGER NOT NULL,
    "revision" VARCHAR(200) NOT NULL,
    "filename" VARCHAR(400) NOT NULL,
    "language_code" VARCHAR(50) NOT NULL,
    "language_id" INTEGER NOT NULL,
    "component_id" INTEGER NOT NULL,
    "plural_id" INTEGER NOT NULL,
    "check_flags" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("component_id", "language_id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("plural_id") REFERENCES "lang_plural" ("id")
);

CREATE TABLE "trans_unit" (
    "id" INTEGER NOT NULL,
    "location" TEXT NOT NULL,
    "context" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "flags" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "previous_source" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "num_words" INTEGER NOT NULL,
    "priority" INTEGER NOT NULL,
    "translation_id" INTEGER NOT NULL,
    "id_hash" BIGINT NOT NULL,
    "state" INTEGER NOT NULL,
    "original_state" INTEGER NOT NULL,
    "explanation" TEXT NOT NULL,
    "extra_flags" TEXT NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "source_unit_id" INTEGER,
    "details" JSON NOT NULL,
    "last_updated" DATETIME NOT NULL,
    "variant_id" INTEGER,
    "automatically_translated" BOOLEAN NOT NULL,
    "translation_parent_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("translation_id", "id_hash"),
    FOREIGN KEY ("source_unit_id") REFERENCES "trans_unit" ("id"),
    FOREIGN KEY ("translation_id") REFERENCES "trans_translation" ("id"),
    FOREIGN KEY ("translation_parent_id") REFERENCES "trans_unit" ("id"),
    FOREIGN KEY ("variant_id") REFERENCES "trans_variant" ("id")
);

CREATE TABLE "trans_unit_labels" (
    "id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "label_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("unit_id", "label_id"),
    FOREIGN KEY ("label_id") REFERENCES "trans_label" ("id"),
    FOREIGN KEY ("unit_id") REFERENCES "trans_unit" ("id")
);

CREATE TABLE "trans_variant" (
    "id" INTEGER NOT NULL,
    "variant_regex" VARCHAR(190) NOT NULL,
    "key" TEXT NOT NULL,
    "component_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id")
);

CREATE TABLE "trans_variant_defining_units" (
    "id" INTEGER NOT NULL,
    "variant_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("variant_id", "unit_id"),
    FOREIGN KEY ("unit_id") REFERENCES "trans_unit" ("id"),
    FOREIGN KEY ("variant_id") REFERENCES "trans_variant" ("id")
);

CREATE TABLE "trans_vote" (
    "id" INTEGER NOT NULL,
    "suggestion_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "value" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("suggestion_id", "user_id"),
    FOREIGN KEY ("suggestion_id") REFERENCES "trans_suggestion" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "trans_workflowsetting" (
    "id" INTEGER NOT NULL,
    "translation_review" BOOLEAN NOT NULL,
    "enable_suggestions" BOOLEAN NOT NULL,
    "suggestion_voting" BOOLEAN NOT NULL,
    "suggestion_autoaccept" SMALLINT NOT NULL,
    "language_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "restrict_direct_editing" BOOLEAN NOT NULL,
    "source_language_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("source_language_id") REFERENCES "lang_language" ("id")
);

CREATE TABLE "vcs_githubappcredentials" (
    "id" INTEGER NOT NULL,
    "hostname" VARCHAR(255) NOT NULL,
    "app_id" VARCHAR(50) NOT NULL,
    "app_slug" VARCHAR(255) NOT NULL,
    "private_key" TEXT NOT NULL,
    "client_id" VARCHAR(255) NOT NULL,
    "client_secret" VARCHAR(255) NOT NULL,
    "webhook_secret" VARCHAR(255) NOT NULL,
    "webhook_token" CHAR(32) NOT NULL,
    "html_url" VARCHAR(200) NOT NULL,
    "created" DATETIME NOT NULL,
    "updated" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("hostname"),
    UNIQUE ("webhook_token")
);

CREATE TABLE "vcs_installation" (
    "id" INTEGER NOT NULL,
    "provider" VARCHAR(20) NOT NULL,
    "installation_id" VARCHAR(50) NOT NULL,
    "target_type" VARCHAR(20) NOT NULL,
    "target_login" VARCHAR(255) NOT NULL,
    "hostname" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "created" DATETIME NOT NULL,
    "repositories" JSON NOT NULL,
    "repositories_updated" DATETIME,
    "workspace_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("provider", "hostname", "installation_id", "workspace_id"),
    FOREIGN KEY ("workspace_id") REFERENCES "workspaces_workspace" ("id")
);

CREATE TABLE "vcs_pendinginstallation" (
    "id" INTEGER NOT NULL,
    "provider" VARCHAR(20) NOT NULL,
    "hostname" VARCHAR(255) NOT NULL,
    "installation_id" VARCHAR(50) NOT NULL,
    "payload" JSON NOT NULL,
    "created" DATETIME NOT NULL,
    "updated" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("provider", "hostname", "installation_id")
);

CREATE TABLE "weblate_auth_autogroup" (
    "id" INTEGER NOT NULL,
    "match" VARCHAR(200) NOT NULL,
    "group_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id")
);

CREATE TABLE "weblate_auth_group" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(150) NOT NULL,
    "project_selection" INTEGER NOT NULL,
    "language_selection" INTEGER NOT NULL,
    "internal" BOOLEAN NOT NULL,
    "defining_project_id" INTEGER,
    "enforced_2fa" BOOLEAN NOT NULL,
    "defining_workspace_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("defining_project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("defining_workspace_id") REFERENCES "workspaces_workspace" ("id")
);

CREATE TABLE "weblate_auth_group_admins" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "user_id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "weblate_auth_group_componentlists" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "componentlist_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "componentlist_id"),
    FOREIGN KEY ("componentlist_id") REFERENCES "trans_componentlist" ("id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id")
);

CREATE TABLE "weblate_auth_group_components" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "component_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "component_id"),
    FOREIGN KEY ("component_id") REFERENCES "trans_component" ("id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id")
);

CREATE TABLE "weblate_auth_group_languages" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "language_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "language_id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id")
);

CREATE TABLE "weblate_auth_group_projects" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "project_id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id")
);

CREATE TABLE "weblate_auth_group_roles" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "role_id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "weblate_auth_role" ("id")
);

CREATE TABLE "weblate_auth_invitation" (
    "uuid" CHAR(32) NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "email" VARCHAR(190) NOT NULL,
    "is_superuser" BOOLEAN NOT NULL,
    "group_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "author_id" INTEGER NOT NULL,
    "full_name" VARCHAR(150) NOT NULL,
    "username" VARCHAR(150) NOT NULL,
    PRIMARY KEY ("uuid"),
    FOREIGN KEY ("author_id") REFERENCES "weblate_auth_user" ("id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "weblate_auth_invitation_limit_languages" (
    "id" INTEGER NOT NULL,
    "invitation_id" CHAR(32) NOT NULL,
    "language_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("invitation_id", "language_id"),
    FOREIGN KEY ("invitation_id") REFERENCES "weblate_auth_invitation" ("uuid"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id")
);

CREATE TABLE "weblate_auth_permission" (
    "id" INTEGER NOT NULL,
    "codename" VARCHAR(100) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("codename")
);

CREATE TABLE "weblate_auth_role" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "weblate_auth_role_permissions" (
    "id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("role_id", "permission_id"),
    FOREIGN KEY ("permission_id") REFERENCES "weblate_auth_permission" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "weblate_auth_role" ("id")
);

CREATE TABLE "weblate_auth_user" (
    "id" INTEGER NOT NULL,
    "password" VARCHAR(128) NOT NULL,
    "last_login" DATETIME,
    "username" VARCHAR(150) NOT NULL,
    "full_name" VARCHAR(150) NOT NULL,
    "email" VARCHAR(190),
    "is_superuser" BOOLEAN NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "date_joined" DATETIME NOT NULL,
    "is_bot" BOOLEAN NOT NULL,
    "date_expires" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("email"),
    UNIQUE ("username")
);

CREATE TABLE "weblate_auth_user_groups" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "weblate_auth_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "weblate_auth_user_groups_limit_languages" (
    "id" INTEGER NOT NULL,
    "teammembership_id" INTEGER NOT NULL,
    "language_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("teammembership_id", "language_id"),
    FOREIGN KEY ("language_id") REFERENCES "lang_language" ("id"),
    FOREIGN KEY ("teammembership_id") REFERENCES "weblate_auth_user_groups" ("id")
);

CREATE TABLE "weblate_auth_userblock" (
    "id" INTEGER NOT NULL,
    "expiry" DATETIME,
    "project_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "note" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "project_id"),
    FOREIGN KEY ("project_id") REFERENCES "trans_project" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "weblate_auth_user" ("id")
);

CREATE TABLE "wladmin_backuplog" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "event" VARCHAR(100) NOT NULL,
    "log" TEXT NOT NULL,
    "service_id" INTEGER NOT NULL,
    "warning" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("service_id") REFERENCES "wladmin_backupservice" ("id")
);

CREATE TABLE "wladmin_backupservice" (
    "id" INTEGER NOT NULL,
    "repository" VARCHAR(500) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "paperkey" TEXT NOT NULL,
    "passphrase" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "wladmin_configurationerror" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(150) NOT NULL,
    "message" TEXT NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "ignored" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "wladmin_supportstatus" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(150) NOT NULL,
    "secret" VARCHAR(400) NOT NULL,
    "expiry" DATETIME,
    "in_limits" BOOLEAN NOT NULL,
    "discoverable" BOOLEAN NOT NULL,
    "limits" JSON NOT NULL,
    "backup_repository" VARCHAR(500) NOT NULL,
    "has_subscription" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "workspaces_workspace" (
    "id" CHAR(32) NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "name_managed" BOOLEAN NOT NULL,
    "add_message" TEXT NOT NULL,
    "addon_message" TEXT NOT NULL,
    "agreement" TEXT NOT NULL,
    "check_flags" TEXT NOT NULL,
    "commit_message" TEXT NOT NULL,
    "delete_message" TEXT NOT NULL,
    "language_code_style" VARCHAR(20) NOT NULL,
    "license" VARCHAR(150) NOT NULL,
    "merge_message" TEXT NOT NULL,
    "new_lang" VARCHAR(10) NOT NULL,
    "pull_message" TEXT NOT NULL,
    "secondary_language_id" INTEGER,
    "contribute_workspace_tm" BOOLEAN NOT NULL,
    "use_workspace_tm" BOOLEAN NOT NULL,
    "metric_id" INTEGER NOT NULL,
    "enforced_checks" JSON NOT NULL,
    "inherit_enforced_checks" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("metric_id"),
    FOREIGN KEY ("secondary_language_id") REFERENCES "lang_language" ("id")
);
