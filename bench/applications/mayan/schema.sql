CREATE TABLE "acls_accesscontrollist" (
    "id" INTEGER NOT NULL,
    "object_id" INTEGER NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "object_id", "role_id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "permissions_role" ("id")
);

CREATE TABLE "acls_accesscontrollist_permissions" (
    "id" INTEGER NOT NULL,
    "accesscontrollist_id" INTEGER NOT NULL,
    "storedpermission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("accesscontrollist_id", "storedpermission_id"),
    FOREIGN KEY ("accesscontrollist_id") REFERENCES "acls_accesscontrollist" ("id"),
    FOREIGN KEY ("storedpermission_id") REFERENCES "permissions_storedpermission" ("id")
);

CREATE TABLE "actstream_action" (
    "id" INTEGER NOT NULL,
    "actor_object_id" VARCHAR(255) NOT NULL,
    "verb" VARCHAR(255) NOT NULL,
    "description" TEXT,
    "target_object_id" VARCHAR(255),
    "action_object_object_id" VARCHAR(255),
    "timestamp" DATETIME NOT NULL,
    "public" BOOLEAN NOT NULL,
    "action_object_content_type_id" INTEGER,
    "actor_content_type_id" INTEGER NOT NULL,
    "target_content_type_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action_object_content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("actor_content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("target_content_type_id") REFERENCES "django_content_type" ("id")
);

CREATE TABLE "actstream_follow" (
    "id" INTEGER NOT NULL,
    "object_id" VARCHAR(255) NOT NULL,
    "actor_only" BOOLEAN NOT NULL,
    "started" DATETIME NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "flag" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "content_type_id", "object_id", "flag"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "announcements_announcement" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(32) NOT NULL,
    "text" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "start_datetime" DATETIME,
    "end_datetime" DATETIME,
    PRIMARY KEY ("id")
);

CREATE TABLE "appearance_usersetting" (
    "id" INTEGER NOT NULL,
    "namespace" VARCHAR(64) NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    "value" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "namespace", "key"),
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

CREATE TABLE "authentication_attempts_loginattempt" (
    "id" INTEGER NOT NULL,
    "username" VARCHAR(254) NOT NULL,
    "result" VARCHAR(32) NOT NULL,
    "source" VARCHAR(32) NOT NULL,
    "ip_address" VARCHAR(39),
    "user_agent" TEXT NOT NULL,
    "datetime" DATETIME NOT NULL,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "authentication_otp_userotpdata" (
    "id" INTEGER NOT NULL,
    "secret" VARCHAR(96) NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "authtoken_token" (
    "key" VARCHAR(40) NOT NULL,
    "created" DATETIME NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("key"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "autoadmin_autoadminsingleton" (
    "id" INTEGER NOT NULL,
    "password" VARCHAR(128),
    "password_hash" VARCHAR(128),
    "account_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "axes_accessattempt" (
    "id" INTEGER NOT NULL,
    "user_agent" VARCHAR(255) NOT NULL,
    "ip_address" VARCHAR(39),
    "username" VARCHAR(255),
    "http_accept" VARCHAR(1025) NOT NULL,
    "path_info" VARCHAR(255) NOT NULL,
    "attempt_time" DATETIME NOT NULL,
    "get_data" TEXT NOT NULL,
    "post_data" TEXT NOT NULL,
    "failures_since_start" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("username", "ip_address", "user_agent")
);

CREATE TABLE "axes_accessattemptexpiration" (
    "access_attempt_id" INTEGER NOT NULL,
    "expires_at" DATETIME NOT NULL,
    PRIMARY KEY ("access_attempt_id"),
    FOREIGN KEY ("access_attempt_id") REFERENCES "axes_accessattempt" ("id")
);

CREATE TABLE "axes_accessfailurelog" (
    "id" INTEGER NOT NULL,
    "user_agent" VARCHAR(255) NOT NULL,
    "ip_address" VARCHAR(39),
    "username" VARCHAR(255),
    "http_accept" VARCHAR(1025) NOT NULL,
    "path_info" VARCHAR(255) NOT NULL,
    "attempt_time" DATETIME NOT NULL,
    "locked_out" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "axes_accesslog" (
    "id" INTEGER NOT NULL,
    "user_agent" VARCHAR(255) NOT NULL,
    "ip_address" VARCHAR(39),
    "username" VARCHAR(255),
    "http_accept" VARCHAR(1025) NOT NULL,
    "path_info" VARCHAR(255) NOT NULL,
    "attempt_time" DATETIME NOT NULL,
    "logout_time" DATETIME,
    "session_hash" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "cabinets_cabinet" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    "lft" INTEGER NOT NULL,
    "tree_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "rght" INTEGER NOT NULL,
    "parent_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("parent_id", "label"),
    FOREIGN KEY ("parent_id") REFERENCES "cabinets_cabinet" ("id")
);

CREATE TABLE "cabinets_cabinet_documents" (
    "id" INTEGER NOT NULL,
    "cabinet_id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("cabinet_id", "document_id"),
    FOREIGN KEY ("cabinet_id") REFERENCES "cabinets_cabinet" ("id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id")
);

CREATE TABLE "checkouts_documentcheckout" (
    "id" INTEGER NOT NULL,
    "checkout_datetime" DATETIME NOT NULL,
    "expiration_datetime" DATETIME NOT NULL,
    "block_new_file" BOOLEAN NOT NULL,
    "user_id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "converter_asset" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(96) NOT NULL,
    "internal_name" VARCHAR(255) NOT NULL,
    "file" VARCHAR(100) NOT NULL,
    "file_hash" VARCHAR(64),
    PRIMARY KEY ("id")
);

CREATE TABLE "converter_layertransformation" (
    "id" INTEGER NOT NULL,
    "order" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "arguments" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "object_layer_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("object_layer_id", "order"),
    FOREIGN KEY ("object_layer_id") REFERENCES "converter_objectlayer" ("id")
);

CREATE TABLE "converter_objectlayer" (
    "id" INTEGER NOT NULL,
    "object_id" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "stored_layer_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("content_type_id", "object_id", "stored_layer_id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("stored_layer_id") REFERENCES "converter_storedlayer" ("id")
);

CREATE TABLE "converter_storedlayer" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "order" INTEGER NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "credentials_storedcredential" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    "backend_path" VARCHAR(128) NOT NULL,
    "backend_data" TEXT NOT NULL,
    "internal_name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "dashboards_storeddashboard" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
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
    "latitude" NUMERIC NOT NULL,
    "longitude" NUMERIC NOT NULL,
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

CREATE TABLE "django_gpg_key" (
    "id" INTEGER NOT NULL,
    "creation_date" DATETIME NOT NULL,
    "fingerprint" VARCHAR(40) NOT NULL,
    "length" INTEGER NOT NULL,
    "algorithm" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "key_type" VARCHAR(3) NOT NULL,
    "key_data" TEXT NOT NULL,
    "expiration_date" DATETIME,
    PRIMARY KEY ("id")
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

CREATE TABLE "document_comments_comment" (
    "id" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "document_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "submit_date" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "document_indexing_indexinstancenode" (
    "id" INTEGER NOT NULL,
    "lft" INTEGER NOT NULL,
    "rght" INTEGER NOT NULL,
    "tree_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "index_template_node_id" INTEGER NOT NULL,
    "value" VARCHAR(255) NOT NULL,
    "parent_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("index_template_node_id", "parent_id", "value"),
    FOREIGN KEY ("index_template_node_id") REFERENCES "document_indexing_indextemplatenode" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "document_indexing_indexinstancenode" ("id")
);

CREATE TABLE "document_indexing_indexinstancenode_documents" (
    "id" INTEGER NOT NULL,
    "indexinstancenode_id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("indexinstancenode_id", "document_id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("indexinstancenode_id") REFERENCES "document_indexing_indexinstancenode" ("id")
);

CREATE TABLE "document_indexing_indextemplate" (
    "id" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    "slug" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "document_indexing_indextemplate_document_types" (
    "id" INTEGER NOT NULL,
    "indextemplate_id" INTEGER NOT NULL,
    "documenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("indextemplate_id", "documenttype_id"),
    FOREIGN KEY ("documenttype_id") REFERENCES "documents_documenttype" ("id"),
    FOREIGN KEY ("indextemplate_id") REFERENCES "document_indexing_indextemplate" ("id")
);

CREATE TABLE "document_indexing_indextemplateeventtrigger" (
    "id" INTEGER NOT NULL,
    "index_template_id" INTEGER NOT NULL,
    "stored_event_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("index_template_id", "stored_event_type_id"),
    FOREIGN KEY ("index_template_id") REFERENCES "document_indexing_indextemplate" ("id"),
    FOREIGN KEY ("stored_event_type_id") REFERENCES "events_storedeventtype" ("id")
);

CREATE TABLE "document_indexing_indextemplatenode" (
    "id" INTEGER NOT NULL,
    "expression" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "link_documents" BOOLEAN NOT NULL,
    "lft" INTEGER NOT NULL,
    "rght" INTEGER NOT NULL,
    "tree_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "index_id" INTEGER NOT NULL,
    "parent_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("index_id") REFERENCES "document_indexing_indextemplate" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "document_indexing_indextemplatenode" ("id")
);

CREATE TABLE "document_parsing_documentfilepagecontent" (
    "id" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "document_file_page_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_file_page_id") REFERENCES "documents_documentfilepage" ("id")
);

CREATE TABLE "document_parsing_documenttypesettings" (
    "id" INTEGER NOT NULL,
    "auto_parsing" BOOLEAN NOT NULL,
    "document_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_type_id") REFERENCES "documents_documenttype" ("id")
);

CREATE TABLE "document_signatures_detachedsignature" (
    "signaturebasemodel_ptr_id" INTEGER NOT NULL,
    "signature_file" VARCHAR(100),
    PRIMARY KEY ("signaturebasemodel_ptr_id"),
    FOREIGN KEY ("signaturebasemodel_ptr_id") REFERENCES "document_signatures_signaturebasemodel" ("id")
);

CREATE TABLE "document_signatures_embeddedsignature" (
    "signaturebasemodel_ptr_id" INTEGER NOT NULL,
    PRIMARY KEY ("signaturebasemodel_ptr_id"),
    FOREIGN KEY ("signaturebasemodel_ptr_id") REFERENCES "document_signatures_signaturebasemodel" ("id")
);

CREATE TABLE "document_signatures_signaturebasemodel" (
    "id" INTEGER NOT NULL,
    "key_id" VARCHAR(40) NOT NULL,
    "signature_id" VARCHAR(64),
    "public_key_fingerprint" VARCHAR(40),
    "document_file_id" INTEGER NOT NULL,
    "date_time" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_file_id") REFERENCES "documents_documentfile" ("id")
);

CREATE TABLE "document_states_workflow" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "internal_name" VARCHAR(255) NOT NULL,
    "auto_launch" BOOLEAN NOT NULL,
    "ignore_completed" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "document_states_workflow_document_types" (
    "id" INTEGER NOT NULL,
    "workflow_id" INTEGER NOT NULL,
    "documenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("workflow_id", "documenttype_id"),
    FOREIGN KEY ("documenttype_id") REFERENCES "documents_documenttype" ("id"),
    FOREIGN KEY ("workflow_id") REFERENCES "document_states_workflow" ("id")
);

CREATE TABLE "document_states_workflowinstance" (
    "id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    "workflow_id" INTEGER NOT NULL,
    "context" TEXT NOT NULL,
    "datetime" DATETIME NOT NULL,
    "state_active_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_id", "workflow_id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("state_active_id") REFERENCES "document_states_workflowstate" ("id"),
    FOREIGN KEY ("workflow_id") REFERENCES "document_states_workflow" ("id")
);

CREATE TABLE "document_states_workflowinstancelogentry" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "comment" TEXT NOT NULL,
    "user_id" INTEGER,
    "workflow_instance_id" INTEGER NOT NULL,
    "extra_data" TEXT NOT NULL,
    "transition_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("transition_id") REFERENCES "document_states_workflowtransition" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("workflow_instance_id") REFERENCES "document_states_workflowinstance" ("id")
);

CREATE TABLE "document_states_workflowstate" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "initial" BOOLEAN NOT NULL,
    "workflow_id" INTEGER NOT NULL,
    "completion" INTEGER NOT NULL,
    "final" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("workflow_id", "label"),
    FOREIGN KEY ("workflow_id") REFERENCES "document_states_workflow" ("id")
);

CREATE TABLE "document_states_workflowstateaction" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "when" INTEGER NOT NULL,
    "backend_path" VARCHAR(128) NOT NULL,
    "backend_data" TEXT NOT NULL,
    "state_id" INTEGER NOT NULL,
    "condition" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("state_id", "label"),
    FOREIGN KEY ("state_id") REFERENCES "document_states_workflowstate" ("id")
);

CREATE TABLE "document_states_workflowstateescalation" (
    "id" INTEGER NOT NULL,
    "condition" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "unit" VARCHAR(32) NOT NULL,
    "amount" INTEGER NOT NULL,
    "comment" TEXT NOT NULL,
    "state_id" INTEGER NOT NULL,
    "transition_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("state_id", "transition_id"),
    FOREIGN KEY ("state_id") REFERENCES "document_states_workflowstate" ("id"),
    FOREIGN KEY ("transition_id") REFERENCES "document_states_workflowtransition" ("id")
);

CREATE TABLE "document_states_workflowtransition" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "destination_state_id" INTEGER NOT NULL,
    "origin_state_id" INTEGER NOT NULL,
    "workflow_id" INTEGER NOT NULL,
    "condition" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("workflow_id", "label", "origin_state_id", "destination_state_id"),
    FOREIGN KEY ("destination_state_id") REFERENCES "document_states_workflowstate" ("id"),
    FOREIGN KEY ("origin_state_id") REFERENCES "document_states_workflowstate" ("id"),
    FOREIGN KEY ("workflow_id") REFERENCES "document_states_workflow" ("id")
);

CREATE TABLE "document_states_workflowtransitionfield" (
    "id" INTEGER NOT NULL,
    "field_type" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    "help_text" TEXT NOT NULL,
    "required" BOOLEAN NOT NULL,
    "transition_id" INTEGER NOT NULL,
    "widget" INTEGER,
    "widget_kwargs" TEXT NOT NULL,
    "lookup" TEXT,
    "default" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("transition_id", "name"),
    FOREIGN KEY ("transition_id") REFERENCES "document_states_workflowtransition" ("id")
);

CREATE TABLE "document_states_workflowtransitiontriggerevent" (
    "id" INTEGER NOT NULL,
    "transition_id" INTEGER NOT NULL,
    "event_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("transition_id", "event_type_id"),
    FOREIGN KEY ("event_type_id") REFERENCES "events_storedeventtype" ("id"),
    FOREIGN KEY ("transition_id") REFERENCES "document_states_workflowtransition" ("id")
);

CREATE TABLE "documents_document" (
    "id" INTEGER NOT NULL,
    "uuid" VARCHAR(32) NOT NULL,
    "label" VARCHAR(255) NOT NULL,
    "description" TEXT NOT NULL,
    "language" VARCHAR(8) NOT NULL,
    "document_type_id" INTEGER NOT NULL,
    "in_trash" BOOLEAN NOT NULL,
    "is_stub" BOOLEAN NOT NULL,
    "trashed_date_time" DATETIME,
    "datetime_created" DATETIME NOT NULL,
    "file_latest_id" INTEGER,
    "version_active_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_type_id") REFERENCES "documents_documenttype" ("id"),
    FOREIGN KEY ("file_latest_id") REFERENCES "documents_documentfile" ("id"),
    FOREIGN KEY ("version_active_id") REFERENCES "documents_documentversion" ("id")
);

CREATE TABLE "documents_documentfile" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "comment" TEXT NOT NULL,
    "file" VARCHAR(100) NOT NULL,
    "mimetype" VARCHAR(255),
    "encoding" VARCHAR(64),
    "checksum" VARCHAR(64),
    "document_id" INTEGER NOT NULL,
    "filename" VARCHAR(255) NOT NULL,
    "size" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id")
);

CREATE TABLE "documents_documentfilepage" (
    "id" INTEGER NOT NULL,
    "page_number" INTEGER NOT NULL,
    "document_file_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_file_id") REFERENCES "documents_documentfile" ("id")
);

CREATE TABLE "documents_documenttype" (
    "id" INTEGER NOT NULL,
    "delete_time_period" INTEGER,
    "delete_time_unit" VARCHAR(12),
    "trash_time_period" INTEGER,
    "label" VARCHAR(196) NOT NULL,
    "filename_generator_backend" VARCHAR(224) NOT NULL,
    "filename_generator_backend_arguments" TEXT NOT NULL,
    "document_stub_expiration_interval" INTEGER NOT NULL,
    "document_stub_pruning_enabled" BOOLEAN NOT NULL,
    "trash_time_unit" VARCHAR(12),
    PRIMARY KEY ("id")
);

CREATE TABLE "documents_documenttypefilename" (
    "id" INTEGER NOT NULL,
    "filename" VARCHAR(128) NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "document_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_type_id", "filename"),
    FOREIGN KEY ("document_type_id") REFERENCES "documents_documenttype" ("id")
);

CREATE TABLE "documents_documentversion" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "comment" TEXT NOT NULL,
    "document_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id")
);

CREATE TABLE "documents_documentversionpage" (
    "id" INTEGER NOT NULL,
    "object_id" INTEGER NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "document_version_id" INTEGER NOT NULL,
    "page_number" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_version_id", "page_number"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("document_version_id") REFERENCES "documents_documentversion" ("id")
);

CREATE TABLE "documents_favoritedocument" (
    "id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "datetime_added" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_id", "user_id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "documents_recentlyaccesseddocument" (
    "id" INTEGER NOT NULL,
    "datetime_accessed" DATETIME NOT NULL,
    "document_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "duplicates_duplicatebackendentry" (
    "id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    "stored_backend_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("stored_backend_id", "document_id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("stored_backend_id") REFERENCES "duplicates_storedduplicatebackend" ("id")
);

CREATE TABLE "duplicates_duplicatebackendentry_documents" (
    "id" INTEGER NOT NULL,
    "duplicatebackendentry_id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("duplicatebackendentry_id", "document_id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("duplicatebackendentry_id") REFERENCES "duplicates_duplicatebackendentry" ("id")
);

CREATE TABLE "duplicates_storedduplicatebackend" (
    "id" INTEGER NOT NULL,
    "backend_path" VARCHAR(128) NOT NULL,
    "backend_data" TEXT NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "dynamic_search_savedresultset" (
    "id" INTEGER NOT NULL,
    "time_to_live" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "epoch" INTEGER NOT NULL,
    "app_label" VARCHAR(64) NOT NULL,
    "model_name" VARCHAR(64) NOT NULL,
    "search_query_text" TEXT NOT NULL,
    "search_explainer_text" TEXT NOT NULL,
    "result_count" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "dynamic_search_savedresultsetentry" (
    "id" INTEGER NOT NULL,
    "object_id" BIGINT NOT NULL,
    "saved_resultset_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("saved_resultset_id") REFERENCES "dynamic_search_savedresultset" ("id")
);

CREATE TABLE "events_eventsubscription" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "stored_event_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("stored_event_type_id") REFERENCES "events_storedeventtype" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "events_notification" (
    "id" INTEGER NOT NULL,
    "read" BOOLEAN NOT NULL,
    "action_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action_id") REFERENCES "actstream_action" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "events_objecteventsubscription" (
    "id" INTEGER NOT NULL,
    "object_id" INTEGER NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "stored_event_type_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("stored_event_type_id") REFERENCES "events_storedeventtype" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "events_storedeventtype" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "file_caching_cache" (
    "id" INTEGER NOT NULL,
    "maximum_size" INTEGER NOT NULL,
    "defined_storage_name" VARCHAR(96) NOT NULL,
    "maximum_size_old" INTEGER NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "file_caching_cachepartition" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "cache_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("cache_id", "name"),
    FOREIGN KEY ("cache_id") REFERENCES "file_caching_cache" ("id")
);

CREATE TABLE "file_caching_cachepartitionfile" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "filename" VARCHAR(255) NOT NULL,
    "file_size" INTEGER NOT NULL,
    "partition_id" INTEGER NOT NULL,
    "hits" INTEGER NOT NULL,
    "accessed" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("partition_id", "filename"),
    FOREIGN KEY ("partition_id") REFERENCES "file_caching_cachepartition" ("id")
);

CREATE TABLE "file_metadata_documentfiledriverentry" (
    "id" INTEGER NOT NULL,
    "driver_id" INTEGER NOT NULL,
    "document_file_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("driver_id", "document_file_id"),
    FOREIGN KEY ("document_file_id") REFERENCES "documents_documentfile" ("id"),
    FOREIGN KEY ("driver_id") REFERENCES "file_metadata_storeddriver" ("id")
);

CREATE TABLE "file_metadata_documenttypedriverconfiguration" (
    "id" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "document_type_id" INTEGER NOT NULL,
    "stored_driver_id" INTEGER NOT NULL,
    "arguments" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_type_id", "stored_driver_id"),
    FOREIGN KEY ("document_type_id") REFERENCES "documents_documenttype" ("id"),
    FOREIGN KEY ("stored_driver_id") REFERENCES "file_metadata_storeddriver" ("id")
);

CREATE TABLE "file_metadata_filemetadataentry" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "document_file_driver_entry_id" INTEGER NOT NULL,
    "internal_name" VARCHAR(255) NOT NULL,
    "value" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_file_driver_entry_id", "internal_name"),
    FOREIGN KEY ("document_file_driver_entry_id") REFERENCES "file_metadata_documentfiledriverentry" ("id")
);

CREATE TABLE "file_metadata_storeddriver" (
    "id" INTEGER NOT NULL,
    "driver_path" VARCHAR(255) NOT NULL,
    "internal_name" VARCHAR(128) NOT NULL,
    "exists" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "linking_smartlink" (
    "id" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "dynamic_label" VARCHAR(96) NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "linking_smartlink_document_types" (
    "id" INTEGER NOT NULL,
    "smartlink_id" INTEGER NOT NULL,
    "documenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("smartlink_id", "documenttype_id"),
    FOREIGN KEY ("documenttype_id") REFERENCES "documents_documenttype" ("id"),
    FOREIGN KEY ("smartlink_id") REFERENCES "linking_smartlink" ("id")
);

CREATE TABLE "linking_smartlinkcondition" (
    "id" INTEGER NOT NULL,
    "inclusion" VARCHAR(16) NOT NULL,
    "foreign_document_data" VARCHAR(128) NOT NULL,
    "operator" VARCHAR(16) NOT NULL,
    "expression" TEXT NOT NULL,
    "negated" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "smart_link_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("smart_link_id") REFERENCES "linking_smartlink" ("id")
);

CREATE TABLE "locales_userlocaleprofile" (
    "id" INTEGER NOT NULL,
    "timezone" VARCHAR(48) NOT NULL,
    "language" VARCHAR(8) NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "lock_manager_lock" (
    "id" INTEGER NOT NULL,
    "creation_datetime" DATETIME NOT NULL,
    "timeout" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "logging_errorlogpartition" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    "error_log_id" INTEGER NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "object_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("error_log_id", "content_type_id", "object_id"),
    UNIQUE ("error_log_id", "name"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("error_log_id") REFERENCES "logging_storederrorlog" ("id")
);

CREATE TABLE "logging_errorlogpartitionentry" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "text" TEXT,
    "error_log_partition_id" INTEGER NOT NULL,
    "domain_name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("error_log_partition_id") REFERENCES "logging_errorlogpartition" ("id")
);

CREATE TABLE "logging_storederrorlog" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "mailer_usermailer" (
    "id" INTEGER NOT NULL,
    "default" BOOLEAN NOT NULL,
    "backend_path" VARCHAR(128) NOT NULL,
    "backend_data" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "mayan_statistics_statisticresult" (
    "id" INTEGER NOT NULL,
    "datetime" DATETIME NOT NULL,
    "serialize_data" TEXT NOT NULL,
    "slug" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "messaging_message" (
    "id" INTEGER NOT NULL,
    "sender_object_id" INTEGER,
    "subject" VARCHAR(255) NOT NULL,
    "body" TEXT NOT NULL,
    "read" BOOLEAN NOT NULL,
    "date_time" DATETIME NOT NULL,
    "sender_content_type_id" INTEGER,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("sender_content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "metadata_documentmetadata" (
    "id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    "metadata_type_id" INTEGER NOT NULL,
    "value" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("document_id", "metadata_type_id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("metadata_type_id") REFERENCES "metadata_metadatatype" ("id")
);

CREATE TABLE "metadata_documenttypemetadatatype" (
    "id" INTEGER NOT NULL,
    "required" BOOLEAN NOT NULL,
    "document_type_id" INTEGER NOT NULL,
    "metadata_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_type_id", "metadata_type_id"),
    FOREIGN KEY ("document_type_id") REFERENCES "documents_documenttype" ("id"),
    FOREIGN KEY ("metadata_type_id") REFERENCES "metadata_metadatatype" ("id")
);

CREATE TABLE "metadata_metadatatype" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(48) NOT NULL,
    "default" VARCHAR(128),
    "lookup" TEXT,
    "label" VARCHAR(48) NOT NULL,
    "parser" VARCHAR(224) NOT NULL,
    "validation_arguments" TEXT NOT NULL,
    "parser_arguments" TEXT NOT NULL,
    "validation" VARCHAR(224) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "ocr_documenttypeocrsettings" (
    "id" INTEGER NOT NULL,
    "auto_ocr" BOOLEAN NOT NULL,
    "document_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_type_id") REFERENCES "documents_documenttype" ("id")
);

CREATE TABLE "ocr_documentversionpageocrcontent" (
    "id" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "document_version_page_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("document_version_page_id") REFERENCES "documents_documentversionpage" ("id")
);

CREATE TABLE "permissions_role" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "permissions_role_groups" (
    "id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("role_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "auth_group" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "permissions_role" ("id")
);

CREATE TABLE "permissions_role_permissions" (
    "id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    "storedpermission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("role_id", "storedpermission_id"),
    FOREIGN KEY ("role_id") REFERENCES "permissions_role" ("id"),
    FOREIGN KEY ("storedpermission_id") REFERENCES "permissions_storedpermission" ("id")
);

CREATE TABLE "permissions_storedpermission" (
    "id" INTEGER NOT NULL,
    "namespace" VARCHAR(64) NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("namespace", "name")
);

CREATE TABLE "quotas_quota" (
    "id" INTEGER NOT NULL,
    "backend_path" VARCHAR(255) NOT NULL,
    "backend_data" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "sequences_sequence" (
    "id" INTEGER NOT NULL,
    "backend_path" VARCHAR(128) NOT NULL,
    "backend_data" TEXT NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    "internal_name" VARCHAR(255) NOT NULL,
    "position" BIGINT NOT NULL,
    "on_limit" VARCHAR(16) NOT NULL,
    "value_is_unique" BOOLEAN,
    PRIMARY KEY ("id")
);

CREATE TABLE "sequences_sequence_document_types" (
    "id" INTEGER NOT NULL,
    "sequence_id" INTEGER NOT NULL,
    "documenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("sequence_id", "documenttype_id"),
    FOREIGN KEY ("documenttype_id") REFERENCES "documents_documenttype" ("id"),
    FOREIGN KEY ("sequence_id") REFERENCES "sequences_sequence" ("id")
);

CREATE TABLE "server_side_events_streamevent" (
    "id" INTEGER NOT NULL,
    "event_type" VARCHAR(128) NOT NULL,
    "payload" TEXT NOT NULL,
    "datetime_created" DATETIME NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "signature_captures_signaturecapture" (
    "id" INTEGER NOT NULL,
    "data" TEXT NOT NULL,
    "svg" TEXT NOT NULL,
    "text" VARCHAR(224) NOT NULL,
    "date_time_created" DATETIME NOT NULL,
    "date_time_edited" DATETIME NOT NULL,
    "internal_name" VARCHAR(255) NOT NULL,
    "document_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_id", "internal_name"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "smart_settings_updatedstoredsetting" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "value" TEXT,
    PRIMARY KEY ("id")
);

CREATE TABLE "sources_documentfilesourcemetadata" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "value" TEXT,
    "document_file_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("document_file_id", "key"),
    FOREIGN KEY ("document_file_id") REFERENCES "documents_documentfile" ("id")
);

CREATE TABLE "sources_source" (
    "id" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    "backend_data" TEXT NOT NULL,
    "backend_path" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "storage_downloadfile" (
    "id" INTEGER NOT NULL,
    "file" VARCHAR(100) NOT NULL,
    "filename" VARCHAR(255) NOT NULL,
    "datetime" DATETIME NOT NULL,
    "label" VARCHAR(192) NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "storage_shareduploadedfile" (
    "id" INTEGER NOT NULL,
    "file" VARCHAR(100) NOT NULL,
    "datetime" DATETIME NOT NULL,
    "filename" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "tags_tag" (
    "id" INTEGER NOT NULL,
    "label" VARCHAR(128) NOT NULL,
    "color" VARCHAR(7) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "tags_tag_documents" (
    "id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    "document_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("tag_id", "document_id"),
    FOREIGN KEY ("document_id") REFERENCES "documents_document" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tags_tag" ("id")
);

CREATE TABLE "task_manager_taskdeduplicationentry" (
    "id" INTEGER NOT NULL,
    "dotted_path" VARCHAR(255) NOT NULL,
    "key" TEXT NOT NULL,
    "key_hash" VARCHAR(64) NOT NULL,
    "datetime_created" DATETIME NOT NULL,
    "is_dirty" BOOLEAN NOT NULL,
    "datetime_started" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("dotted_path", "key_hash")
);

CREATE TABLE "user_management_useroptions" (
    "id" INTEGER NOT NULL,
    "block_password_change" BOOLEAN NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "views_userconfirmview" (
    "id" INTEGER NOT NULL,
    "namespace" VARCHAR(200) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "remember" BOOLEAN NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "name"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "views_userviewmode" (
    "id" INTEGER NOT NULL,
    "namespace" VARCHAR(200) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "value" VARCHAR(5) NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "name"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "web_links_weblink" (
    "id" INTEGER NOT NULL,
    "template" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "label" VARCHAR(96) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "web_links_weblink_document_types" (
    "id" INTEGER NOT NULL,
    "weblink_id" INTEGER NOT NULL,
    "documenttype_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("weblink_id", "documenttype_id"),
    FOREIGN KEY ("documenttype_id") REFERENCES "documents_documenttype" ("id"),
    FOREIGN KEY ("weblink_id") REFERENCES "web_links_weblink" ("id")
);
