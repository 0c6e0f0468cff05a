CREATE TABLE "address_country" (
    "iso_3166_1_a2" VARCHAR(2) NOT NULL,
    "iso_3166_1_a3" VARCHAR(3) NOT NULL,
    "iso_3166_1_numeric" VARCHAR(3) NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "display_order" INTEGER NOT NULL,
    "is_shipping_country" BOOLEAN NOT NULL,
    "printable_name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("iso_3166_1_a2")
);

CREATE TABLE "address_useraddress" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR(64) NOT NULL,
    "first_name" VARCHAR(255) NOT NULL,
    "last_name" VARCHAR(255) NOT NULL,
    "line1" VARCHAR(255) NOT NULL,
    "line2" VARCHAR(255) NOT NULL,
    "line3" VARCHAR(255) NOT NULL,
    "line4" VARCHAR(255) NOT NULL,
    "state" VARCHAR(255) NOT NULL,
    "postcode" VARCHAR(64) NOT NULL,
    "search_text" TEXT NOT NULL,
    "phone_number" VARCHAR(128) NOT NULL,
    "notes" TEXT NOT NULL,
    "is_default_for_shipping" BOOLEAN NOT NULL,
    "is_default_for_billing" BOOLEAN NOT NULL,
    "hash" VARCHAR(255) NOT NULL,
    "date_created" DATETIME NOT NULL,
    "country_id" VARCHAR(2) NOT NULL,
    "user_id" INTEGER NOT NULL,
    "num_orders_as_shipping_address" INTEGER NOT NULL,
    "num_orders_as_billing_address" INTEGER NOT NULL,
    "code" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "hash"),
    FOREIGN KEY ("country_id") REFERENCES "address_country" ("iso_3166_1_a2"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "analytics_productrecord" (
    "id" INTEGER NOT NULL,
    "num_views" INTEGER NOT NULL,
    "num_basket_additions" INTEGER NOT NULL,
    "num_purchases" INTEGER NOT NULL,
    "score" FLOAT NOT NULL,
    "product_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id")
);

CREATE TABLE "analytics_userproductview" (
    "id" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    "product_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "analytics_userrecord" (
    "id" INTEGER NOT NULL,
    "num_product_views" INTEGER NOT NULL,
    "num_basket_additions" INTEGER NOT NULL,
    "num_orders" INTEGER NOT NULL,
    "num_order_lines" INTEGER NOT NULL,
    "num_order_items" INTEGER NOT NULL,
    "total_spent" NUMERIC NOT NULL,
    "date_last_order" DATETIME,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "analytics_usersearch" (
    "id" INTEGER NOT NULL,
    "query" VARCHAR(255) NOT NULL,
    "date_created" DATETIME NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

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

CREATE TABLE "auth_user" (
    "id" INTEGER NOT NULL,
    "password" VARCHAR(128) NOT NULL,
    "last_login" DATETIME,
    "is_superuser" BOOLEAN NOT NULL,
    "username" VARCHAR(150) NOT NULL,
    "last_name" VARCHAR(150) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "is_staff" BOOLEAN NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "date_joined" DATETIME NOT NULL,
    "first_name" VARCHAR(150) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "auth_user_groups" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "auth_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "auth_user_user_permissions" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "permission_id"),
    FOREIGN KEY ("permission_id") REFERENCES "auth_permission" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "basket_basket" (
    "id" INTEGER NOT NULL,
    "status" VARCHAR(128) NOT NULL,
    "date_created" DATETIME NOT NULL,
    "date_merged" DATETIME,
    "date_submitted" DATETIME,
    "owner_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("owner_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "basket_basket_vouchers" (
    "id" INTEGER NOT NULL,
    "basket_id" INTEGER NOT NULL,
    "voucher_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("basket_id", "voucher_id"),
    FOREIGN KEY ("basket_id") REFERENCES "basket_basket" ("id"),
    FOREIGN KEY ("voucher_id") REFERENCES "voucher_voucher" ("id")
);

CREATE TABLE "basket_line" (
    "id" INTEGER NOT NULL,
    "line_reference" VARCHAR(128) NOT NULL,
    "quantity" INTEGER NOT NULL,
    "price_currency" VARCHAR(12) NOT NULL,
    "price_excl_tax" NUMERIC,
    "price_incl_tax" NUMERIC,
    "date_created" DATETIME NOT NULL,
    "basket_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "stockrecord_id" INTEGER NOT NULL,
    "date_updated" DATETIME NOT NULL,
    "tax_code" VARCHAR(64),
    PRIMARY KEY ("id"),
    UNIQUE ("basket_id", "line_reference"),
    FOREIGN KEY ("basket_id") REFERENCES "basket_basket" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("stockrecord_id") REFERENCES "partner_stockrecord" ("id")
);

CREATE TABLE "basket_lineattribute" (
    "id" INTEGER NOT NULL,
    "line_id" INTEGER NOT NULL,
    "option_id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("line_id") REFERENCES "basket_line" ("id"),
    FOREIGN KEY ("option_id") REFERENCES "catalogue_option" ("id")
);

CREATE TABLE "catalogue_attributeoption" (
    "id" INTEGER NOT NULL,
    "option" VARCHAR(255) NOT NULL,
    "group_id" INTEGER NOT NULL,
    "code" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "option"),
    FOREIGN KEY ("group_id") REFERENCES "catalogue_attributeoptiongroup" ("id")
);

CREATE TABLE "catalogue_attributeoptiongroup" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "code" VARCHAR(255),
    PRIMARY KEY ("id")
);

CREATE TABLE "catalogue_category" (
    "id" INTEGER NOT NULL,
    "path" VARCHAR(255) NOT NULL,
    "depth" INTEGER NOT NULL,
    "numchild" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT NOT NULL,
    "image" VARCHAR(255),
    "slug" VARCHAR(255) NOT NULL,
    "ancestors_are_public" BOOLEAN NOT NULL,
    "is_public" BOOLEAN NOT NULL,
    "meta_description" TEXT,
    "meta_title" VARCHAR(255),
    "code" VARCHAR(255),
    "exclude_from_menu" BOOLEAN NOT NULL,
    "long_description" TEXT NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "catalogue_option" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "type" VARCHAR(255) NOT NULL,
    "required" BOOLEAN NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "help_text" VARCHAR(255),
    "option_group_id" INTEGER,
    "order" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("option_group_id") REFERENCES "catalogue_attributeoptiongroup" ("id")
);

CREATE TABLE "catalogue_product" (
    "id" INTEGER NOT NULL,
    "structure" VARCHAR(10) NOT NULL,
    "upc" VARCHAR(64),
    "title" VARCHAR(255) NOT NULL,
    "slug" VARCHAR(255) NOT NULL,
    "description" TEXT NOT NULL,
    "rating" FLOAT,
    "date_created" DATETIME NOT NULL,
    "date_updated" DATETIME NOT NULL,
    "is_discountable" BOOLEAN NOT NULL,
    "product_class_id" INTEGER,
    "is_public" BOOLEAN NOT NULL,
    "meta_description" TEXT,
    "meta_title" VARCHAR(255),
    "priority" SMALLINT NOT NULL,
    "code" VARCHAR(255),
    "parent_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("product_class_id") REFERENCES "catalogue_productclass" ("id")
);

CREATE TABLE "catalogue_product_product_options" (
    "id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "option_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("product_id", "option_id"),
    FOREIGN KEY ("option_id") REFERENCES "catalogue_option" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id")
);

CREATE TABLE "catalogue_productattribute" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "required" BOOLEAN NOT NULL,
    "option_group_id" INTEGER,
    "product_class_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("code", "product_class_id"),
    FOREIGN KEY ("option_group_id") REFERENCES "catalogue_attributeoptiongroup" ("id"),
    FOREIGN KEY ("product_class_id") REFERENCES "catalogue_productclass" ("id")
);

CREATE TABLE "catalogue_productattributevalue" (
    "id" INTEGER NOT NULL,
    "value_text" TEXT,
    "value_integer" INTEGER,
    "value_float" FLOAT,
    "value_richtext" TEXT,
    "value_date" DATE,
    "value_file" VARCHAR(255),
    "value_image" VARCHAR(255),
    "entity_object_id" INTEGER,
    "attribute_id" INTEGER NOT NULL,
    "entity_content_type_id" INTEGER,
    "product_id" INTEGER NOT NULL,
    "value_option_id" INTEGER,
    "value_datetime" DATETIME,
    "value_boolean" BOOLEAN,
    PRIMARY KEY ("id"),
    UNIQUE ("attribute_id", "product_id"),
    FOREIGN KEY ("attribute_id") REFERENCES "catalogue_productattribute" ("id"),
    FOREIGN KEY ("entity_content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("value_option_id") REFERENCES "catalogue_attributeoption" ("id")
);

CREATE TABLE "catalogue_productattributevalue_value_multi_option" (
    "id" INTEGER NOT NULL,
    "productattributevalue_id" INTEGER NOT NULL,
    "attributeoption_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("productattributevalue_id", "attributeoption_id"),
    FOREIGN KEY ("attributeoption_id") REFERENCES "catalogue_attributeoption" ("id"),
    FOREIGN KEY ("productattributevalue_id") REFERENCES "catalogue_productattributevalue" ("id")
);

CREATE TABLE "catalogue_productcategory" (
    "id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("product_id", "category_id"),
    FOREIGN KEY ("category_id") REFERENCES "catalogue_category" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id")
);

CREATE TABLE "catalogue_productclass" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "slug" VARCHAR(128) NOT NULL,
    "requires_shipping" BOOLEAN NOT NULL,
    "track_stock" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "catalogue_productclass_options" (
    "id" INTEGER NOT NULL,
    "productclass_id" INTEGER NOT NULL,
    "option_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("productclass_id", "option_id"),
    FOREIGN KEY ("option_id") REFERENCES "catalogue_option" ("id"),
    FOREIGN KEY ("productclass_id") REFERENCES "catalogue_productclass" ("id")
);

CREATE TABLE "catalogue_productimage" (
    "id" INTEGER NOT NULL,
    "original" VARCHAR(255) NOT NULL,
    "caption" VARCHAR(200) NOT NULL,
    "display_order" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    "product_id" INTEGER NOT NULL,
    "code" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id")
);

CREATE TABLE "catalogue_productrecommendation" (
    "id" INTEGER NOT NULL,
    "primary_id" INTEGER NOT NULL,
    "recommendation_id" INTEGER NOT NULL,
    "ranking" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("primary_id", "recommendation_id"),
    FOREIGN KEY ("primary_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("recommendation_id") REFERENCES "catalogue_product" ("id")
);

CREATE TABLE "communication_communicationeventtype" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "category" VARCHAR(255) NOT NULL,
    "email_subject_template" VARCHAR(255),
    "email_body_template" TEXT,
    "email_body_html_template" TEXT,
    "sms_template" VARCHAR(170),
    "date_created" DATETIME NOT NULL,
    "date_updated" DATETIME NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "communication_email" (
    "id" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "body_text" TEXT NOT NULL,
    "body_html" TEXT NOT NULL,
    "date_sent" DATETIME NOT NULL,
    "email" VARCHAR(254),
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "communication_notification" (
    "id" INTEGER NOT NULL,
    "subject" VARCHAR(255) NOT NULL,
    "body" TEXT NOT NULL,
    "location" VARCHAR(32) NOT NULL,
    "date_read" DATETIME,
    "recipient_id" INTEGER NOT NULL,
    "sender_id" INTEGER,
    "date_sent" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("recipient_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("sender_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "customer_productalert" (
    "id" INTEGER NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "key" VARCHAR(128) NOT NULL,
    "status" VARCHAR(20) NOT NULL,
    "date_confirmed" DATETIME,
    "date_cancelled" DATETIME,
    "date_closed" DATETIME,
    "product_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "django_admin_log" (
    "id" INTEGER NOT NULL,
    "object_id" TEXT,
    "object_repr" VARCHAR(200) NOT NULL,
    "action_flag" INTEGER NOT NULL,
    "change_message" TEXT NOT NULL,
    "content_type_id" INTEGER,
    "user_id" INTEGER NOT NULL,
    "action_time" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "django_content_type" (
    "id" INTEGER NOT NULL,
    "app_label" VARCHAR(100) NOT NULL,
    "model" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("app_label", "model")
);

CREATE TABLE "django_flatpage" (
    "id" INTEGER NOT NULL,
    "url" VARCHAR(100) NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "content" TEXT NOT NULL,
    "enable_comments" BOOLEAN NOT NULL,
    "template_name" VARCHAR(70) NOT NULL,
    "registration_required" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "django_flatpage_sites" (
    "id" INTEGER NOT NULL,
    "flatpage_id" INTEGER NOT NULL,
    "site_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("flatpage_id", "site_id"),
    FOREIGN KEY ("flatpage_id") REFERENCES "django_flatpage" ("id"),
    FOREIGN KEY ("site_id") REFERENCES "django_site" ("id")
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

CREATE TABLE "django_site" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(50) NOT NULL,
    "domain" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "offer_benefit" (
    "id" INTEGER NOT NULL,
    "type" VARCHAR(128) NOT NULL,
    "value" NUMERIC,
    "max_affected_items" INTEGER,
    "range_id" INTEGER,
    "proxy_class" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("range_id") REFERENCES "offer_range" ("id")
);

CREATE TABLE "offer_condition" (
    "id" INTEGER NOT NULL,
    "type" VARCHAR(128) NOT NULL,
    "value" NUMERIC,
    "range_id" INTEGER,
    "proxy_class" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("range_id") REFERENCES "offer_range" ("id")
);

CREATE TABLE "offer_conditionaloffer" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "slug" VARCHAR(128) NOT NULL,
    "description" TEXT NOT NULL,
    "offer_type" VARCHAR(128) NOT NULL,
    "status" VARCHAR(64) NOT NULL,
    "start_datetime" DATETIME,
    "end_datetime" DATETIME,
    "max_global_applications" INTEGER,
    "max_user_applications" INTEGER,
    "max_basket_applications" INTEGER,
    "max_discount" NUMERIC,
    "total_discount" NUMERIC NOT NULL,
    "num_applications" INTEGER NOT NULL,
    "num_orders" INTEGER NOT NULL,
    "redirect_url" VARCHAR(200) NOT NULL,
    "date_created" DATETIME NOT NULL,
    "benefit_id" INTEGER NOT NULL,
    "condition_id" INTEGER NOT NULL,
    "exclusive" BOOLEAN NOT NULL,
    "priority" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("benefit_id") REFERENCES "offer_benefit" ("id"),
    FOREIGN KEY ("condition_id") REFERENCES "offer_condition" ("id")
);

CREATE TABLE "offer_conditionaloffer_combinations" (
    "id" INTEGER NOT NULL,
    "from_conditionaloffer_id" INTEGER NOT NULL,
    "to_conditionaloffer_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("from_conditionaloffer_id", "to_conditionaloffer_id"),
    FOREIGN KEY ("from_conditionaloffer_id") REFERENCES "offer_conditionaloffer" ("id"),
    FOREIGN KEY ("to_conditionaloffer_id") REFERENCES "offer_conditionaloffer" ("id")
);

CREATE TABLE "offer_range" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "slug" VARCHAR(128) NOT NULL,
    "description" TEXT NOT NULL,
    "is_public" BOOLEAN NOT NULL,
    "includes_all_products" BOOLEAN NOT NULL,
    "proxy_class" VARCHAR(255),
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "offer_range_classes" (
    "id" INTEGER NOT NULL,
    "range_id" INTEGER NOT NULL,
    "productclass_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("range_id", "productclass_id"),
    FOREIGN KEY ("productclass_id") REFERENCES "catalogue_productclass" ("id"),
    FOREIGN KEY ("range_id") REFERENCES "offer_range" ("id")
);

CREATE TABLE "offer_range_excluded_categories" (
    "id" INTEGER NOT NULL,
    "range_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("range_id", "category_id"),
    FOREIGN KEY ("category_id") REFERENCES "catalogue_category" ("id"),
    FOREIGN KEY ("range_id") REFERENCES "offer_range" ("id")
);

CREATE TABLE "offer_range_excluded_products" (
    "id" INTEGER NOT NULL,
    "range_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("range_id", "product_id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("range_id") REFERENCES "offer_range" ("id")
);

CREATE TABLE "offer_range_included_categories" (
    "id" INTEGER NOT NULL,
    "range_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("range_id", "category_id"),
    FOREIGN KEY ("category_id") REFERENCES "catalogue_category" ("id"),
    FOREIGN KEY ("range_id") REFERENCES "offer_range" ("id")
);

CREATE TABLE "offer_rangeproduct" (
    "id" INTEGER NOT NULL,
    "display_order" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "range_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("range_id", "product_id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("range_id") REFERENCES "offer_range" ("id")
);

CREATE TABLE "offer_rangeproductfileupload" (
    "id" INTEGER NOT NULL,
    "filepath" VARCHAR(255) NOT NULL,
    "size" INTEGER NOT NULL,
    "date_uploaded" DATETIME NOT NULL,
    "status" VARCHAR(32) NOT NULL,
    "error_message" VARCHAR(255) NOT NULL,
    "date_processed" DATETIME,
    "num_new_skus" INTEGER,
    "num_unknown_skus" INTEGER,
    "num_duplicate_skus" INTEGER,
    "range_id" INTEGER NOT NULL,
    "uploaded_by_id" INTEGER NOT NULL,
    "upload_type" VARCHAR(8) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("range_id") REFERENCES "offer_range" ("id"),
    FOREIGN KEY ("uploaded_by_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "order_billingaddress" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR(64) NOT NULL,
    "first_name" VARCHAR(255) NOT NULL,
    "last_name" VARCHAR(255) NOT NULL,
    "line1" VARCHAR(255) NOT NULL,
    "line2" VARCHAR(255) NOT NULL,
    "line3" VARCHAR(255) NOT NULL,
    "line4" VARCHAR(255) NOT NULL,
    "state" VARCHAR(255) NOT NULL,
    "postcode" VARCHAR(64) NOT NULL,
    "search_text" TEXT NOT NULL,
    "country_id" VARCHAR(2) NOT NULL,
    "code" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country_id") REFERENCES "address_country" ("iso_3166_1_a2")
);

CREATE TABLE "order_communicationevent" (
    "id" INTEGER NOT NULL,
    "event_type_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_type_id") REFERENCES "communication_communicationeventtype" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id")
);

CREATE TABLE "order_line" (
    "id" INTEGER NOT NULL,
    "partner_name" VARCHAR(128) NOT NULL,
    "partner_sku" VARCHAR(128) NOT NULL,
    "partner_line_reference" VARCHAR(128) NOT NULL,
    "partner_line_notes" TEXT NOT NULL,
    "title" VARCHAR(255) NOT NULL,
    "upc" VARCHAR(128),
    "quantity" INTEGER NOT NULL,
    "line_price_incl_tax" NUMERIC NOT NULL,
    "line_price_excl_tax" NUMERIC NOT NULL,
    "line_price_before_discounts_incl_tax" NUMERIC NOT NULL,
    "line_price_before_discounts_excl_tax" NUMERIC NOT NULL,
    "unit_price_incl_tax" NUMERIC,
    "unit_price_excl_tax" NUMERIC,
    "status" VARCHAR(255) NOT NULL,
    "order_id" INTEGER NOT NULL,
    "partner_id" INTEGER,
    "product_id" INTEGER,
    "stockrecord_id" INTEGER,
    "tax_code" VARCHAR(64),
    "allocation_cancelled" BOOLEAN NOT NULL,
    "num_allocated" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id"),
    FOREIGN KEY ("partner_id") REFERENCES "partner_partner" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("stockrecord_id") REFERENCES "partner_stockrecord" ("id")
);

CREATE TABLE "order_lineattribute" (
    "id" INTEGER NOT NULL,
    "type" VARCHAR(128) NOT NULL,
    "line_id" INTEGER NOT NULL,
    "option_id" INTEGER,
    "value" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("line_id") REFERENCES "order_line" ("id"),
    FOREIGN KEY ("option_id") REFERENCES "catalogue_option" ("id")
);

CREATE TABLE "order_lineprice" (
    "id" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "price_incl_tax" NUMERIC NOT NULL,
    "price_excl_tax" NUMERIC NOT NULL,
    "shipping_incl_tax" NUMERIC NOT NULL,
    "shipping_excl_tax" NUMERIC NOT NULL,
    "line_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "tax_code" VARCHAR(64),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("line_id") REFERENCES "order_line" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id")
);

CREATE TABLE "order_order" (
    "id" INTEGER NOT NULL,
    "number" VARCHAR(128) NOT NULL,
    "currency" VARCHAR(12) NOT NULL,
    "total_incl_tax" NUMERIC NOT NULL,
    "total_excl_tax" NUMERIC NOT NULL,
    "shipping_incl_tax" NUMERIC NOT NULL,
    "shipping_excl_tax" NUMERIC NOT NULL,
    "shipping_method" VARCHAR(128) NOT NULL,
    "shipping_code" VARCHAR(128) NOT NULL,
    "status" VARCHAR(100) NOT NULL,
    "guest_email" VARCHAR(254) NOT NULL,
    "date_placed" DATETIME NOT NULL,
    "basket_id" INTEGER,
    "billing_address_id" INTEGER,
    "shipping_address_id" INTEGER,
    "site_id" INTEGER,
    "user_id" INTEGER,
    "shipping_tax_code" VARCHAR(64),
    "analytics_tracked" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("basket_id") REFERENCES "basket_basket" ("id"),
    FOREIGN KEY ("billing_address_id") REFERENCES "order_billingaddress" ("id"),
    FOREIGN KEY ("shipping_address_id") REFERENCES "order_shippingaddress" ("id"),
    FOREIGN KEY ("site_id") REFERENCES "django_site" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "order_orderdiscount" (
    "id" INTEGER NOT NULL,
    "category" VARCHAR(64) NOT NULL,
    "offer_id" INTEGER,
    "offer_name" VARCHAR(128) NOT NULL,
    "voucher_id" INTEGER,
    "voucher_code" VARCHAR(128) NOT NULL,
    "frequency" INTEGER,
    "amount" NUMERIC NOT NULL,
    "message" TEXT NOT NULL,
    "order_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id")
);

CREATE TABLE "order_orderlinediscount" (
    "id" INTEGER NOT NULL,
    "is_incl_tax" BOOLEAN NOT NULL,
    "amount" NUMERIC NOT NULL,
    "line_id" INTEGER NOT NULL,
    "order_discount_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("line_id") REFERENCES "order_line" ("id"),
    FOREIGN KEY ("order_discount_id") REFERENCES "order_orderdiscount" ("id")
);

CREATE TABLE "order_ordernote" (
    "id" INTEGER NOT NULL,
    "note_type" VARCHAR(128) NOT NULL,
    "message" TEXT NOT NULL,
    "date_created" DATETIME NOT NULL,
    "date_updated" DATETIME NOT NULL,
    "order_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "order_orderstatuschange" (
    "id" INTEGER NOT NULL,
    "old_status" VARCHAR(100) NOT NULL,
    "new_status" VARCHAR(100) NOT NULL,
    "order_id" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id")
);

CREATE TABLE "order_paymentevent" (
    "id" INTEGER NOT NULL,
    "amount" NUMERIC NOT NULL,
    "reference" VARCHAR(128) NOT NULL,
    "event_type_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "shipping_event_id" INTEGER,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_type_id") REFERENCES "order_paymenteventtype" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id"),
    FOREIGN KEY ("shipping_event_id") REFERENCES "order_shippingevent" ("id")
);

CREATE TABLE "order_paymenteventquantity" (
    "id" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "line_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "line_id"),
    FOREIGN KEY ("event_id") REFERENCES "order_paymentevent" ("id"),
    FOREIGN KEY ("line_id") REFERENCES "order_line" ("id")
);

CREATE TABLE "order_paymenteventtype" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "order_shippingaddress" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR(64) NOT NULL,
    "first_name" VARCHAR(255) NOT NULL,
    "last_name" VARCHAR(255) NOT NULL,
    "line1" VARCHAR(255) NOT NULL,
    "line2" VARCHAR(255) NOT NULL,
    "line3" VARCHAR(255) NOT NULL,
    "line4" VARCHAR(255) NOT NULL,
    "state" VARCHAR(255) NOT NULL,
    "postcode" VARCHAR(64) NOT NULL,
    "search_text" TEXT NOT NULL,
    "phone_number" VARCHAR(128) NOT NULL,
    "notes" TEXT NOT NULL,
    "country_id" VARCHAR(2) NOT NULL,
    "code" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country_id") REFERENCES "address_country" ("iso_3166_1_a2")
);

CREATE TABLE "order_shippingevent" (
    "id" INTEGER NOT NULL,
    "notes" TEXT NOT NULL,
    "event_type_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_type_id") REFERENCES "order_shippingeventtype" ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id")
);

CREATE TABLE "order_shippingeventquantity" (
    "id" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "line_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "line_id"),
    FOREIGN KEY ("event_id") REFERENCES "order_shippingevent" ("id"),
    FOREIGN KEY ("line_id") REFERENCES "order_line" ("id")
);

CREATE TABLE "order_shippingeventtype" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "order_surcharge" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "incl_tax" NUMERIC NOT NULL,
    "excl_tax" NUMERIC NOT NULL,
    "order_id" INTEGER NOT NULL,
    "tax_code" VARCHAR(64),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id")
);

CREATE TABLE "partner_partner" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "partner_partner_users" (
    "id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("partner_id", "user_id"),
    FOREIGN KEY ("partner_id") REFERENCES "partner_partner" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "partner_partneraddress" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR(64) NOT NULL,
    "first_name" VARCHAR(255) NOT NULL,
    "last_name" VARCHAR(255) NOT NULL,
    "line1" VARCHAR(255) NOT NULL,
    "line2" VARCHAR(255) NOT NULL,
    "line3" VARCHAR(255) NOT NULL,
    "line4" VARCHAR(255) NOT NULL,
    "state" VARCHAR(255) NOT NULL,
    "postcode" VARCHAR(64) NOT NULL,
    "search_text" TEXT NOT NULL,
    "country_id" VARCHAR(2) NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "code" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country_id") REFERENCES "address_country" ("iso_3166_1_a2"),
    FOREIGN KEY ("partner_id") REFERENCES "partner_partner" ("id")
);

CREATE TABLE "partner_stockalert" (
    "id" INTEGER NOT NULL,
    "threshold" INTEGER NOT NULL,
    "status" VARCHAR(128) NOT NULL,
    "date_closed" DATETIME,
    "stockrecord_id" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("stockrecord_id") REFERENCES "partner_stockrecord" ("id")
);

CREATE TABLE "partner_stockrecord" (
    "id" INTEGER NOT NULL,
    "partner_sku" VARCHAR(128) NOT NULL,
    "price" NUMERIC,
    "num_in_stock" INTEGER,
    "num_allocated" INTEGER,
    "low_stock_threshold" INTEGER,
    "date_created" DATETIME NOT NULL,
    "date_updated" DATETIME NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "price_currency" VARCHAR(12) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("partner_id", "partner_sku"),
    FOREIGN KEY ("partner_id") REFERENCES "partner_partner" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id")
);

CREATE TABLE "payment_bankcard" (
    "id" INTEGER NOT NULL,
    "card_type" VARCHAR(128) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "number" VARCHAR(32) NOT NULL,
    "expiry_date" DATE NOT NULL,
    "partner_reference" VARCHAR(255) NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "payment_source" (
    "id" INTEGER NOT NULL,
    "currency" VARCHAR(12) NOT NULL,
    "amount_allocated" NUMERIC NOT NULL,
    "amount_debited" NUMERIC NOT NULL,
    "amount_refunded" NUMERIC NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    "order_id" INTEGER NOT NULL,
    "source_type_id" INTEGER NOT NULL,
    "reference" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id"),
    FOREIGN KEY ("source_type_id") REFERENCES "payment_sourcetype" ("id")
);

CREATE TABLE "payment_sourcetype" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "payment_transaction" (
    "id" INTEGER NOT NULL,
    "txn_type" VARCHAR(128) NOT NULL,
    "amount" NUMERIC NOT NULL,
    "reference" VARCHAR(128) NOT NULL,
    "status" VARCHAR(128) NOT NULL,
    "source_id" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("source_id") REFERENCES "payment_source" ("id")
);

CREATE TABLE "reviews_productreview" (
    "id" INTEGER NOT NULL,
    "score" SMALLINT NOT NULL,
    "title" VARCHAR(255) NOT NULL,
    "body" TEXT NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "homepage" VARCHAR(200) NOT NULL,
    "status" SMALLINT NOT NULL,
    "total_votes" INTEGER NOT NULL,
    "delta_votes" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    "product_id" INTEGER,
    "user_id" INTEGER,
    "code" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("product_id", "user_id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "reviews_vote" (
    "id" INTEGER NOT NULL,
    "delta" SMALLINT NOT NULL,
    "date_created" DATETIME NOT NULL,
    "review_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "review_id"),
    FOREIGN KEY ("review_id") REFERENCES "reviews_productreview" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "shipping_orderanditemcharges" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "description" TEXT NOT NULL,
    "price_per_order" NUMERIC NOT NULL,
    "price_per_item" NUMERIC NOT NULL,
    "free_shipping_threshold" NUMERIC,
    "name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "shipping_orderanditemcharges_countries" (
    "id" INTEGER NOT NULL,
    "orderanditemcharges_id" INTEGER NOT NULL,
    "country_id" VARCHAR(2) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("orderanditemcharges_id", "country_id"),
    FOREIGN KEY ("country_id") REFERENCES "address_country" ("iso_3166_1_a2"),
    FOREIGN KEY ("orderanditemcharges_id") REFERENCES "shipping_orderanditemcharges" ("id")
);

CREATE TABLE "shipping_weightband" (
    "id" INTEGER NOT NULL,
    "charge" NUMERIC NOT NULL,
    "method_id" INTEGER NOT NULL,
    "upper_limit" NUMERIC NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("method_id") REFERENCES "shipping_weightbased" ("id")
);

CREATE TABLE "shipping_weightbased" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "description" TEXT NOT NULL,
    "default_weight" NUMERIC NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "shipping_weightbased_countries" (
    "id" INTEGER NOT NULL,
    "weightbased_id" INTEGER NOT NULL,
    "country_id" VARCHAR(2) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("weightbased_id", "country_id"),
    FOREIGN KEY ("country_id") REFERENCES "address_country" ("iso_3166_1_a2"),
    FOREIGN KEY ("weightbased_id") REFERENCES "shipping_weightbased" ("id")
);

CREATE TABLE "thumbnail_kvstore" (
    "key" VARCHAR(200) NOT NULL,
    "value" TEXT NOT NULL,
    PRIMARY KEY ("key")
);

CREATE TABLE "voucher_voucher" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR(128) NOT NULL,
    "usage" VARCHAR(128) NOT NULL,
    "start_datetime" DATETIME NOT NULL,
    "end_datetime" DATETIME NOT NULL,
    "num_basket_additions" INTEGER NOT NULL,
    "num_orders" INTEGER NOT NULL,
    "total_discount" NUMERIC NOT NULL,
    "date_created" DATETIME NOT NULL,
    "voucher_set_id" INTEGER,
    "name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("voucher_set_id") REFERENCES "voucher_voucherset" ("id")
);

CREATE TABLE "voucher_voucher_offers" (
    "id" INTEGER NOT NULL,
    "voucher_id" INTEGER NOT NULL,
    "conditionaloffer_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("voucher_id", "conditionaloffer_id"),
    FOREIGN KEY ("conditionaloffer_id") REFERENCES "offer_conditionaloffer" ("id"),
    FOREIGN KEY ("voucher_id") REFERENCES "voucher_voucher" ("id")
);

CREATE TABLE "voucher_voucherapplication" (
    "id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "voucher_id" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("order_id") REFERENCES "order_order" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("voucher_id") REFERENCES "voucher_voucher" ("id")
);

CREATE TABLE "voucher_voucherset" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "count" INTEGER NOT NULL,
    "code_length" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "date_created" DATETIME NOT NULL,
    "start_datetime" DATETIME NOT NULL,
    "end_datetime" DATETIME NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "wishlists_line" (
    "id" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "title" VARCHAR(255) NOT NULL,
    "product_id" INTEGER,
    "wishlist_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("wishlist_id", "product_id"),
    FOREIGN KEY ("product_id") REFERENCES "catalogue_product" ("id"),
    FOREIGN KEY ("wishlist_id") REFERENCES "wishlists_wishlist" ("id")
);

CREATE TABLE "wishlists_wishlist" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "key" VARCHAR(6) NOT NULL,
    "visibility" VARCHAR(20) NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "date_created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("owner_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "wishlists_wishlistsharedemail" (
    "id" INTEGER NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "wishlist_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("wishlist_id") REFERENCES "wishlists_wishlist" ("id")
);
