CREATE TABLE "alembic_version" (
    "version_num" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("version_num")
);

CREATE TABLE "api_keys" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "user_id" INTEGER,
    "key" VARCHAR(32),
    "deleted" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("key"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "celery_user_active_task" (
    "task_id" VARCHAR(255) NOT NULL,
    "user_id" INTEGER NOT NULL,
    "started_at" DATETIME NOT NULL,
    PRIMARY KEY ("task_id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "celery_user_rate_limit" (
    "user_id" INTEGER NOT NULL,
    "last_scheduled_time" DATETIME NOT NULL,
    PRIMARY KEY ("user_id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "chat_exchange" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "page_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("page_id") REFERENCES "page" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "chat_exchange_message" (
    "id" INTEGER NOT NULL,
    "chat_exchange_id" INTEGER NOT NULL,
    "create_time" DATETIME NOT NULL,
    "message" TEXT NOT NULL,
    "feedback" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("chat_exchange_id") REFERENCES "chat_exchange" ("id")
);

CREATE TABLE "cleanup_event" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "message" VARCHAR(1024),
    PRIMARY KEY ("id")
);

CREATE TABLE "cleanup_event_dataset_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "dataset_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id")
);

CREATE TABLE "cleanup_event_hda_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "hda_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("hda_id") REFERENCES "history_dataset_association" ("id")
);

CREATE TABLE "cleanup_event_history_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "history_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id")
);

CREATE TABLE "cleanup_event_icda_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "icda_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("icda_id") REFERENCES "implicitly_converted_dataset_association" ("id")
);

CREATE TABLE "cleanup_event_ldda_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "ldda_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("ldda_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "cleanup_event_library_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "library_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("library_id") REFERENCES "library" ("id")
);

CREATE TABLE "cleanup_event_library_dataset_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "library_dataset_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("library_dataset_id") REFERENCES "library_dataset" ("id")
);

CREATE TABLE "cleanup_event_library_folder_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "library_folder_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("library_folder_id") REFERENCES "library_folder" ("id")
);

CREATE TABLE "cleanup_event_metadata_file_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "metadata_file_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("metadata_file_id") REFERENCES "metadata_file" ("id")
);

CREATE TABLE "cleanup_event_user_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "cleanup_event_id" INTEGER,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cleanup_event_id") REFERENCES "cleanup_event" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "credential" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "is_secret" BOOLEAN NOT NULL,
    "is_set" BOOLEAN NOT NULL,
    "value" VARCHAR,
    "create_time" DATETIME NOT NULL,
    "update_time" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group_id") REFERENCES "credentials_group" ("id")
);

CREATE TABLE "credentials_group" (
    "id" INTEGER NOT NULL,
    "user_credentials_id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "create_time" DATETIME NOT NULL,
    "update_time" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_credentials_id") REFERENCES "user_credentials" ("id")
);

CREATE TABLE "data_manager_history_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "history_id" INTEGER,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "data_manager_job_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "job_id" INTEGER,
    "data_manager_id" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "dataset" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "state" VARCHAR(64),
    "deleted" BOOLEAN,
    "purged" BOOLEAN,
    "purgable" BOOLEAN,
    "object_store_id" VARCHAR(255),
    "external_filename" TEXT,
    "_extra_files_path" TEXT,
    "created_from_basename" TEXT,
    "file_size" NUMERIC(15, 0),
    "total_size" NUMERIC(15, 0),
    "uuid" VARCHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "dataset_collection" (
    "id" INTEGER NOT NULL,
    "collection_type" VARCHAR(255) NOT NULL,
    "populated_state" VARCHAR(64) NOT NULL,
    "populated_state_message" TEXT,
    "element_count" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "fields" BLOB,
    "column_definitions" BLOB,
    PRIMARY KEY ("id")
);

CREATE TABLE "dataset_collection_element" (
    "id" INTEGER NOT NULL,
    "dataset_collection_id" INTEGER NOT NULL,
    "hda_id" INTEGER,
    "ldda_id" INTEGER,
    "child_collection_id" INTEGER,
    "element_index" INTEGER,
    "element_identifier" VARCHAR(255),
    "columns" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("child_collection_id") REFERENCES "dataset_collection" ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "dataset_collection" ("id"),
    FOREIGN KEY ("hda_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("ldda_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "dataset_hash" (
    "id" INTEGER NOT NULL,
    "dataset_id" INTEGER,
    "hash_function" TEXT,
    "hash_value" TEXT,
    "extra_files_path" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id")
);

CREATE TABLE "dataset_permissions" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "action" TEXT,
    "dataset_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id")
);

CREATE TABLE "dataset_source" (
    "id" INTEGER NOT NULL,
    "dataset_id" INTEGER,
    "source_uri" TEXT,
    "extra_files_path" TEXT,
    "transform" BLOB,
    "requested_transform" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id")
);

CREATE TABLE "dataset_source_hash" (
    "id" INTEGER NOT NULL,
    "dataset_source_id" INTEGER,
    "hash_function" TEXT,
    "hash_value" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_source_id") REFERENCES "dataset_source" ("id")
);

CREATE TABLE "dataset_storage_operation_run" (
    "id" INTEGER NOT NULL,
    "snapshot_id" INTEGER NOT NULL,
    "history_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "mode" VARCHAR(32) NOT NULL,
    "target_object_store_id" VARCHAR(255) NOT NULL,
    "state" VARCHAR(32) NOT NULL,
    "skip_ineligible" BOOLEAN NOT NULL,
    "notify_on_completion" BOOLEAN NOT NULL,
    "task_id" VARCHAR(32),
    "total_count" INTEGER NOT NULL,
    "succeeded_count" INTEGER NOT NULL,
    "failed_count" INTEGER NOT NULL,
    "skipped_count" INTEGER NOT NULL,
    "total_bytes_processed" BIGINT NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("snapshot_id") REFERENCES "dataset_storage_operation_snapshot" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "dataset_storage_operation_run_item" (
    "id" INTEGER NOT NULL,
    "run_id" INTEGER NOT NULL,
    "dataset_id" INTEGER NOT NULL,
    "state" VARCHAR(32) NOT NULL,
    "reason_code" VARCHAR(64),
    "bytes_processed" BIGINT NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("run_id", "dataset_id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id"),
    FOREIGN KEY ("run_id") REFERENCES "dataset_storage_operation_run" ("id")
);

CREATE TABLE "dataset_storage_operation_snapshot" (
    "id" INTEGER NOT NULL,
    "history_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "mode" VARCHAR(32) NOT NULL,
    "target_object_store_id" VARCHAR(255) NOT NULL,
    "resolved_dataset_ids" BLOB NOT NULL,
    "eligible_dataset_ids" BLOB NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "expires_at" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "default_history_permissions" (
    "id" INTEGER NOT NULL,
    "history_id" INTEGER,
    "action" TEXT,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id")
);

CREATE TABLE "default_quota_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "type" VARCHAR(32),
    "quota_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("quota_id") REFERENCES "quota" ("id")
);

CREATE TABLE "default_user_permissions" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "action" TEXT,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "dynamic_tool" (
    "id" INTEGER NOT NULL,
    "uuid" VARCHAR(32),
    "create_time" DATETIME,
    "update_time" DATETIME,
    "tool_id" VARCHAR(255),
    "tool_version" VARCHAR(255),
    "tool_format" VARCHAR(255),
    "tool_path" VARCHAR(255),
    "tool_directory" VARCHAR(255),
    "hidden" BOOLEAN,
    "active" BOOLEAN,
    "value" BLOB,
    "public" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "event" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "history_id" INTEGER,
    "user_id" INTEGER,
    "message" VARCHAR(1024),
    "session_id" INTEGER,
    "tool_id" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "galaxy_session" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "extended_metadata" (
    "id" INTEGER NOT NULL,
    "data" BLOB,
    PRIMARY KEY ("id")
);

CREATE TABLE "extended_metadata_index" (
    "id" INTEGER NOT NULL,
    "extended_metadata_id" INTEGER,
    "path" VARCHAR(255),
    "value" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("extended_metadata_id") REFERENCES "extended_metadata" ("id")
);

CREATE TABLE "form_definition" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "desc" TEXT,
    "form_definition_current_id" INTEGER NOT NULL,
    "fields" BLOB,
    "type" VARCHAR(255),
    "layout" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("form_definition_current_id") REFERENCES "form_definition_current" ("id")
);

CREATE TABLE "form_definition_current" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "latest_form_id" INTEGER,
    "deleted" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("latest_form_id") REFERENCES "form_definition" ("id")
);

CREATE TABLE "form_values" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "form_definition_id" INTEGER,
    "content" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("form_definition_id") REFERENCES "form_definition" ("id")
);

CREATE TABLE "galaxy_group" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "name" VARCHAR(255),
    "deleted" BOOLEAN,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "galaxy_session" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "user_id" INTEGER,
    "remote_host" VARCHAR(255),
    "remote_addr" VARCHAR(255),
    "referer" TEXT,
    "current_history_id" INTEGER,
    "session_key" VARCHAR(255),
    "is_valid" BOOLEAN,
    "prev_session_id" INTEGER,
    "disk_usage" NUMERIC(15, 0),
    "last_action" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("session_key"),
    FOREIGN KEY ("current_history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "galaxy_session_to_history" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "session_id" INTEGER,
    "history_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "galaxy_session" ("id")
);

CREATE TABLE "galaxy_user" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "email" VARCHAR(255) NOT NULL,
    "username" VARCHAR(255),
    "password" VARCHAR(255) NOT NULL,
    "last_password_change" DATETIME,
    "external" BOOLEAN,
    "form_values_id" INTEGER,
    "preferred_object_store_id" VARCHAR(255),
    "deleted" BOOLEAN,
    "purged" BOOLEAN,
    "disk_usage" NUMERIC(15, 0),
    "active" BOOLEAN NOT NULL,
    "activation_token" VARCHAR(64),
    PRIMARY KEY ("id"),
    UNIQUE ("email"),
    UNIQUE ("username"),
    FOREIGN KEY ("form_values_id") REFERENCES "form_values" ("id")
);

CREATE TABLE "genome_index_tool_data" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "dataset_id" INTEGER,
    "fasta_path" VARCHAR(255),
    "created_time" DATETIME,
    "modified_time" DATETIME,
    "indexer" VARCHAR(64),
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "group_quota_association" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER,
    "quota_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group_id") REFERENCES "galaxy_group" ("id"),
    FOREIGN KEY ("quota_id") REFERENCES "quota" ("id")
);

CREATE TABLE "group_role_association" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "role_id"),
    FOREIGN KEY ("group_id") REFERENCES "galaxy_group" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id")
);

CREATE TABLE "history" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "user_id" INTEGER,
    "name" VARCHAR(255),
    "hid_counter" INTEGER,
    "deleted" BOOLEAN,
    "purged" BOOLEAN,
    "importing" BOOLEAN,
    "genome_build" VARCHAR(40),
    "importable" BOOLEAN,
    "slug" TEXT,
    "published" BOOLEAN,
    "preferred_object_store_id" VARCHAR(255),
    "archived" BOOLEAN,
    "archive_export_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("archive_export_id") REFERENCES "store_export_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_annotation_association" (
    "id" INTEGER NOT NULL,
    "history_id" INTEGER,
    "user_id" INTEGER,
    "annotation" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_audit" (
    "history_id" INTEGER NOT NULL,
    "update_time" DATETIME NOT NULL,
    PRIMARY KEY ("history_id", "update_time"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id")
);

CREATE TABLE "history_dataset_association" (
    "id" INTEGER NOT NULL,
    "history_id" INTEGER,
    "dataset_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "state" VARCHAR(64),
    "copied_from_history_dataset_association_id" INTEGER,
    "copied_from_library_dataset_dataset_association_id" INTEGER,
    "name" VARCHAR(255),
    "info" VARCHAR(255),
    "blurb" VARCHAR(255),
    "peek" TEXT,
    "tool_version" TEXT,
    "extension" VARCHAR(64),
    "metadata" BLOB,
    "metadata_deferred" BOOLEAN,
    "parent_id" INTEGER,
    "designation" VARCHAR(255),
    "deleted" BOOLEAN,
    "visible" BOOLEAN,
    "extended_metadata_id" INTEGER,
    "version" INTEGER,
    "hid" INTEGER,
    "purged" BOOLEAN,
    "validated_state" VARCHAR(64) NOT NULL,
    "validated_state_message" TEXT,
    "hidden_beneath_collection_instance_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("copied_from_history_dataset_association_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("copied_from_library_dataset_dataset_association_id") REFERENCES "library_dataset_dataset_association" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id"),
    FOREIGN KEY ("extended_metadata_id") REFERENCES "extended_metadata" ("id"),
    FOREIGN KEY ("hidden_beneath_collection_instance_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "history_dataset_association" ("id")
);

CREATE TABLE "history_dataset_association_annotation_association" (
    "id" INTEGER NOT NULL,
    "history_dataset_association_id" INTEGER,
    "user_id" INTEGER,
    "annotation" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_association_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_dataset_association_display_at_authorization" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "history_dataset_association_id" INTEGER,
    "user_id" INTEGER,
    "site" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_association_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_dataset_association_history" (
    "id" INTEGER NOT NULL,
    "history_dataset_association_id" INTEGER,
    "update_time" DATETIME,
    "version" INTEGER,
    "name" VARCHAR(255),
    "extension" VARCHAR(64),
    "metadata" BLOB,
    "extended_metadata_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("extended_metadata_id") REFERENCES "extended_metadata" ("id"),
    FOREIGN KEY ("history_dataset_association_id") REFERENCES "history_dataset_association" ("id")
);

CREATE TABLE "history_dataset_association_rating_association" (
    "id" INTEGER NOT NULL,
    "history_dataset_association_id" INTEGER,
    "user_id" INTEGER,
    "rating" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_association_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_dataset_association_subset" (
    "id" INTEGER NOT NULL,
    "history_dataset_association_id" INTEGER,
    "history_dataset_association_subset_id" INTEGER,
    "location" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_association_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("history_dataset_association_subset_id") REFERENCES "history_dataset_association" ("id")
);

CREATE TABLE "history_dataset_association_tag_association" (
    "id" INTEGER NOT NULL,
    "history_dataset_association_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_association_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_dataset_collection_annotation_association" (
    "id" INTEGER NOT NULL,
    "history_dataset_collection_id" INTEGER,
    "user_id" INTEGER,
    "annotation" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_dataset_collection_association" (
    "id" INTEGER NOT NULL,
    "collection_id" INTEGER,
    "history_id" INTEGER,
    "name" VARCHAR(255),
    "hid" INTEGER,
    "visible" BOOLEAN,
    "deleted" BOOLEAN,
    "copied_from_history_dataset_collection_association_id" INTEGER,
    "implicit_output_name" VARCHAR(255),
    "job_id" INTEGER,
    "implicit_collection_jobs_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "dataset_collection" ("id"),
    FOREIGN KEY ("copied_from_history_dataset_collection_association_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("implicit_collection_jobs_id") REFERENCES "implicit_collection_jobs" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "history_dataset_collection_rating_association" (
    "id" INTEGER NOT NULL,
    "history_dataset_collection_id" INTEGER,
    "user_id" INTEGER,
    "rating" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_dataset_collection_tag_association" (
    "id" INTEGER NOT NULL,
    "history_dataset_collection_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_rating_association" (
    "id" INTEGER NOT NULL,
    "history_id" INTEGER,
    "user_id" INTEGER,
    "rating" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_tag_association" (
    "id" INTEGER NOT NULL,
    "history_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "history_user_share_association" (
    "id" INTEGER NOT NULL,
    "history_id" INTEGER,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "implicit_collection_jobs" (
    "id" INTEGER NOT NULL,
    "populated_state" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "implicit_collection_jobs_job_association" (
    "id" INTEGER NOT NULL,
    "implicit_collection_jobs_id" INTEGER,
    "job_id" INTEGER,
    "order_index" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("implicit_collection_jobs_id") REFERENCES "implicit_collection_jobs" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "implicitly_converted_dataset_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "hda_id" INTEGER,
    "ldda_id" INTEGER,
    "hda_parent_id" INTEGER,
    "ldda_parent_id" INTEGER,
    "deleted" BOOLEAN,
    "metadata_safe" BOOLEAN,
    "type" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("hda_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("hda_parent_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("ldda_id") REFERENCES "library_dataset_dataset_association" ("id"),
    FOREIGN KEY ("ldda_parent_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "implicitly_created_dataset_collection_inputs" (
    "id" INTEGER NOT NULL,
    "dataset_collection_id" INTEGER,
    "input_dataset_collection_id" INTEGER,
    "name" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("input_dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id")
);

CREATE TABLE "interactivetool_entry_point" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "name" TEXT,
    "token" TEXT NOT NULL,
    "tool_port" INTEGER,
    "host" TEXT,
    "port" INTEGER,
    "protocol" TEXT,
    "entry_url" TEXT,
    "requires_domain" BOOLEAN,
    "requires_path_in_url" BOOLEAN,
    "requires_path_in_header_named" TEXT,
    "info" BLOB,
    "configured" BOOLEAN,
    "deleted" BOOLEAN,
    "created_time" DATETIME,
    "modified_time" DATETIME,
    "label" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "history_id" INTEGER,
    "library_folder_id" INTEGER,
    "tool_id" VARCHAR(255),
    "tool_version" TEXT,
    "galaxy_version" VARCHAR(64),
    "dynamic_tool_id" INTEGER,
    "state" VARCHAR(64),
    "info" VARCHAR(255),
    "copied_from_job_id" INTEGER,
    "command_line" TEXT,
    "dependencies" BLOB,
    "job_messages" BLOB,
    "param_filename" VARCHAR(1024),
    "runner_name" VARCHAR(255),
    "job_stdout" TEXT,
    "job_stderr" TEXT,
    "tool_stdout" TEXT,
    "tool_stderr" TEXT,
    "exit_code" INTEGER,
    "traceback" TEXT,
    "session_id" INTEGER,
    "user_id" INTEGER,
    "job_runner_name" VARCHAR(255),
    "job_runner_external_id" VARCHAR(255),
    "destination_id" VARCHAR(255),
    "destination_params" BLOB,
    "object_store_id" VARCHAR(255),
    "imported" BOOLEAN,
    "handler" VARCHAR(255),
    "preferred_object_store_id" VARCHAR(255),
    "object_store_id_overrides" BLOB,
    "tool_request_id" INTEGER,
    "tool_state" JSON,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dynamic_tool_id") REFERENCES "dynamic_tool" ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("library_folder_id") REFERENCES "library_folder" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "galaxy_session" ("id"),
    FOREIGN KEY ("tool_request_id") REFERENCES "tool_request" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "job_container_association" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "container_type" TEXT,
    "container_name" TEXT,
    "container_info" BLOB,
    "created_time" DATETIME,
    "modified_time" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_credentials_context" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER NOT NULL,
    "user_credentials_id" INTEGER,
    "service_name" VARCHAR(255) NOT NULL,
    "service_version" VARCHAR(255) NOT NULL,
    "selected_group_id" INTEGER,
    "selected_group_name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("selected_group_id") REFERENCES "credentials_group" ("id"),
    FOREIGN KEY ("user_credentials_id") REFERENCES "user_credentials" ("id")
);

CREATE TABLE "job_export_history_archive" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "history_id" INTEGER,
    "dataset_id" INTEGER,
    "compressed" BOOLEAN,
    "history_attrs_filename" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_external_output_metadata" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "history_dataset_association_id" INTEGER,
    "library_dataset_dataset_association_id" INTEGER,
    "is_valid" BOOLEAN,
    "filename_in" VARCHAR(255),
    "filename_out" VARCHAR(255),
    "filename_results_code" VARCHAR(255),
    "filename_kwds" VARCHAR(255),
    "filename_override_metadata" VARCHAR(255),
    "job_runner_external_pid" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_dataset_association_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("library_dataset_dataset_association_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "job_import_history_archive" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "history_id" INTEGER,
    "archive_dir" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_metric_numeric" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "plugin" VARCHAR(255),
    "metric_name" VARCHAR(255),
    "metric_value" NUMERIC(26, 7),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_metric_text" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "plugin" VARCHAR(255),
    "metric_name" VARCHAR(255),
    "metric_value" VARCHAR(1023),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_parameter" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "name" VARCHAR(255),
    "value" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_state_history" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "job_id" INTEGER,
    "state" VARCHAR(64),
    "info" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_to_implicit_output_dataset_collection" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "dataset_collection_id" INTEGER,
    "name" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "dataset_collection" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_to_input_dataset" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "dataset_id" INTEGER,
    "dataset_version" INTEGER,
    "name" VARCHAR(255),
    "adapter" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_to_input_dataset_collection" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "dataset_collection_id" INTEGER,
    "name" VARCHAR(255),
    "adapter" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_to_input_dataset_collection_element" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "dataset_collection_element_id" INTEGER,
    "name" VARCHAR(255),
    "adapter" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_element_id") REFERENCES "dataset_collection_element" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_to_input_library_dataset" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "ldda_id" INTEGER,
    "name" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("ldda_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "job_to_output_dataset" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "dataset_id" INTEGER,
    "name" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_to_output_dataset_collection" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "dataset_collection_id" INTEGER,
    "name" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "job_to_output_library_dataset" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER,
    "ldda_id" INTEGER,
    "name" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("ldda_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "landing_request_to_tool_request_association" (
    "id" INTEGER NOT NULL,
    "landing_request_id" INTEGER NOT NULL,
    "tool_request_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("landing_request_id") REFERENCES "tool_landing_request" ("id"),
    FOREIGN KEY ("tool_request_id") REFERENCES "tool_request" ("id")
);

CREATE TABLE "landing_request_to_workflow_invocation_association" (
    "id" INTEGER NOT NULL,
    "landing_request_id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("landing_request_id") REFERENCES "workflow_landing_request" ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id")
);

CREATE TABLE "library" (
    "id" INTEGER NOT NULL,
    "root_folder_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "name" VARCHAR(255),
    "deleted" BOOLEAN,
    "purged" BOOLEAN,
    "description" TEXT,
    "synopsis" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("root_folder_id") REFERENCES "library_folder" ("id")
);

CREATE TABLE "library_dataset" (
    "id" INTEGER NOT NULL,
    "library_dataset_dataset_association_id" INTEGER,
    "folder_id" INTEGER,
    "order_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "name" VARCHAR(255),
    "info" VARCHAR(255),
    "deleted" BOOLEAN,
    "purged" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("folder_id") REFERENCES "library_folder" ("id"),
    FOREIGN KEY ("library_dataset_dataset_association_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "library_dataset_collection_annotation_association" (
    "id" INTEGER NOT NULL,
    "library_dataset_collection_id" INTEGER,
    "user_id" INTEGER,
    "annotation" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("library_dataset_collection_id") REFERENCES "library_dataset_collection_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "library_dataset_collection_association" (
    "id" INTEGER NOT NULL,
    "collection_id" INTEGER,
    "folder_id" INTEGER,
    "name" VARCHAR(255),
    "deleted" BOOLEAN,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "dataset_collection" ("id"),
    FOREIGN KEY ("folder_id") REFERENCES "library_folder" ("id")
);

CREATE TABLE "library_dataset_collection_rating_association" (
    "id" INTEGER NOT NULL,
    "library_dataset_collection_id" INTEGER,
    "user_id" INTEGER,
    "rating" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("library_dataset_collection_id") REFERENCES "library_dataset_collection_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "library_dataset_collection_tag_association" (
    "id" INTEGER NOT NULL,
    "library_dataset_collection_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("library_dataset_collection_id") REFERENCES "library_dataset_collection_association" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "library_dataset_dataset_association" (
    "id" INTEGER NOT NULL,
    "library_dataset_id" INTEGER,
    "dataset_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "state" VARCHAR(64),
    "copied_from_history_dataset_association_id" INTEGER,
    "copied_from_library_dataset_dataset_association_id" INTEGER,
    "name" VARCHAR(255),
    "info" VARCHAR(255),
    "blurb" VARCHAR(255),
    "peek" TEXT,
    "tool_version" TEXT,
    "extension" VARCHAR(64),
    "metadata" BLOB,
    "metadata_deferred" BOOLEAN,
    "parent_id" INTEGER,
    "designation" VARCHAR(255),
    "deleted" BOOLEAN,
    "validated_state" VARCHAR(64) NOT NULL,
    "validated_state_message" TEXT,
    "visible" BOOLEAN,
    "extended_metadata_id" INTEGER,
    "user_id" INTEGER,
    "message" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("copied_from_history_dataset_association_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("copied_from_library_dataset_dataset_association_id") REFERENCES "library_dataset_dataset_association" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "dataset" ("id"),
    FOREIGN KEY ("extended_metadata_id") REFERENCES "extended_metadata" ("id"),
    FOREIGN KEY ("library_dataset_id") REFERENCES "library_dataset" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "library_dataset_dataset_association" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "library_dataset_dataset_association_permissions" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "action" TEXT,
    "library_dataset_dataset_association_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("library_dataset_dataset_association_id") REFERENCES "library_dataset_dataset_association" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id")
);

CREATE TABLE "library_dataset_dataset_association_tag_association" (
    "id" INTEGER NOT NULL,
    "library_dataset_dataset_association_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("library_dataset_dataset_association_id") REFERENCES "library_dataset_dataset_association" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "library_dataset_dataset_info_association" (
    "id" INTEGER NOT NULL,
    "library_dataset_dataset_association_id" INTEGER,
    "form_definition_id" INTEGER,
    "form_values_id" INTEGER,
    "deleted" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("form_definition_id") REFERENCES "form_definition" ("id"),
    FOREIGN KEY ("form_values_id") REFERENCES "form_values" ("id"),
    FOREIGN KEY ("library_dataset_dataset_association_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "library_dataset_permissions" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "action" TEXT,
    "library_dataset_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("library_dataset_id") REFERENCES "library_dataset" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id")
);

CREATE TABLE "library_folder" (
    "id" INTEGER NOT NULL,
    "parent_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "name" TEXT,
    "description" TEXT,
    "order_id" INTEGER,
    "item_count" INTEGER,
    "deleted" BOOLEAN,
    "purged" BOOLEAN,
    "genome_build" VARCHAR(40),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "library_folder" ("id")
);

CREATE TABLE "library_folder_info_association" (
    "id" INTEGER NOT NULL,
    "library_folder_id" INTEGER,
    "form_definition_id" INTEGER,
    "form_values_id" INTEGER,
    "inheritable" BOOLEAN,
    "deleted" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("form_definition_id") REFERENCES "form_definition" ("id"),
    FOREIGN KEY ("form_values_id") REFERENCES "form_values" ("id"),
    FOREIGN KEY ("library_folder_id") REFERENCES "library_folder" ("id")
);

CREATE TABLE "library_folder_permissions" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "action" TEXT,
    "library_folder_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("library_folder_id") REFERENCES "library_folder" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id")
);

CREATE TABLE "library_info_association" (
    "id" INTEGER NOT NULL,
    "library_id" INTEGER,
    "form_definition_id" INTEGER,
    "form_values_id" INTEGER,
    "inheritable" BOOLEAN,
    "deleted" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("form_definition_id") REFERENCES "form_definition" ("id"),
    FOREIGN KEY ("form_values_id") REFERENCES "form_values" ("id"),
    FOREIGN KEY ("library_id") REFERENCES "library" ("id")
);

CREATE TABLE "library_permissions" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "action" TEXT,
    "library_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("library_id") REFERENCES "library" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id")
);

CREATE TABLE "metadata_file" (
    "id" INTEGER NOT NULL,
    "name" TEXT,
    "hda_id" INTEGER,
    "lda_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "object_store_id" VARCHAR(255),
    "uuid" VARCHAR(32),
    "deleted" BOOLEAN,
    "purged" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("hda_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("lda_id") REFERENCES "library_dataset_dataset_association" ("id")
);

CREATE TABLE "notification" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "publication_time" DATETIME,
    "expiration_time" DATETIME,
    "source" VARCHAR(32),
    "category" VARCHAR(64),
    "variant" VARCHAR(16),
    "dispatched" BOOLEAN NOT NULL,
    "galaxy_url" VARCHAR(255),
    "content" BLOB,
    PRIMARY KEY ("id")
);

CREATE TABLE "oidc_user_authnz_tokens" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "uid" VARCHAR(255),
    "provider" VARCHAR(32),
    "extra_data" BLOB,
    "lifetime" INTEGER,
    "assoc_type" VARCHAR(64),
    PRIMARY KEY ("id"),
    UNIQUE ("provider", "uid"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "page" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "user_id" INTEGER NOT NULL,
    "latest_revision_id" INTEGER,
    "title" TEXT,
    "deleted" BOOLEAN,
    "importable" BOOLEAN,
    "slug" TEXT,
    "published" BOOLEAN,
    "source_invocation_id" INTEGER,
    "history_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("latest_revision_id") REFERENCES "page_revision" ("id"),
    FOREIGN KEY ("source_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "page_annotation_association" (
    "id" INTEGER NOT NULL,
    "page_id" INTEGER,
    "user_id" INTEGER,
    "annotation" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("page_id") REFERENCES "page" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "page_rating_association" (
    "id" INTEGER NOT NULL,
    "page_id" INTEGER,
    "user_id" INTEGER,
    "rating" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("page_id") REFERENCES "page" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "page_revision" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "page_id" INTEGER NOT NULL,
    "title" TEXT,
    "content" TEXT,
    "content_format" VARCHAR(32),
    "edit_source" VARCHAR(16),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("page_id") REFERENCES "page" ("id")
);

CREATE TABLE "page_tag_association" (
    "id" INTEGER NOT NULL,
    "page_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("page_id") REFERENCES "page" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "page_user_share_association" (
    "id" INTEGER NOT NULL,
    "page_id" INTEGER,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("page_id") REFERENCES "page" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "password_reset_token" (
    "token" VARCHAR(32) NOT NULL,
    "expiration_time" DATETIME,
    "user_id" INTEGER,
    PRIMARY KEY ("token"),
    UNIQUE ("token"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "post_job_action" (
    "id" INTEGER NOT NULL,
    "workflow_step_id" INTEGER,
    "action_type" VARCHAR(255) NOT NULL,
    "output_name" VARCHAR(255),
    "action_arguments" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "post_job_action_association" (
    "id" INTEGER NOT NULL,
    "job_id" INTEGER NOT NULL,
    "post_job_action_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("post_job_action_id") REFERENCES "post_job_action" ("id")
);

CREATE TABLE "psa_association" (
    "id" INTEGER NOT NULL,
    "server_url" VARCHAR(255),
    "handle" VARCHAR(255),
    "secret" VARCHAR(255),
    "issued" INTEGER,
    "lifetime" INTEGER,
    "assoc_type" VARCHAR(64),
    PRIMARY KEY ("id")
);

CREATE TABLE "psa_code" (
    "id" INTEGER NOT NULL,
    "email" VARCHAR(200),
    "code" VARCHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("code", "email")
);

CREATE TABLE "psa_nonce" (
    "id" INTEGER NOT NULL,
    "server_url" VARCHAR(255),
    "timestamp" INTEGER,
    "salt" VARCHAR(40),
    PRIMARY KEY ("id")
);

CREATE TABLE "psa_partial" (
    "id" INTEGER NOT NULL,
    "token" VARCHAR(32),
    "data" TEXT,
    "next_step" INTEGER,
    "backend" VARCHAR(32),
    PRIMARY KEY ("id")
);

CREATE TABLE "quota" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "name" VARCHAR(255),
    "description" TEXT,
    "bytes" BIGINT,
    "operation" VARCHAR(8),
    "deleted" BOOLEAN,
    "quota_source_label" VARCHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "repository_dependency" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "tool_shed_repository_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("tool_shed_repository_id") REFERENCES "tool_shed_repository" ("id")
);

CREATE TABLE "repository_repository_dependency_association" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "tool_shed_repository_id" INTEGER,
    "repository_dependency_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("repository_dependency_id") REFERENCES "repository_dependency" ("id"),
    FOREIGN KEY ("tool_shed_repository_id") REFERENCES "tool_shed_repository" ("id")
);

CREATE TABLE "role" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT,
    "type" VARCHAR(40),
    "deleted" BOOLEAN,
    PRIMARY KEY ("id")
);

CREATE TABLE "store_export_association" (
    "id" INTEGER NOT NULL,
    "task_uuid" VARCHAR(32),
    "create_time" DATETIME,
    "object_type" VARCHAR(32),
    "object_id" INTEGER,
    "export_metadata" BLOB,
    PRIMARY KEY ("id"),
    UNIQUE ("task_uuid")
);

CREATE TABLE "stored_workflow" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "user_id" INTEGER NOT NULL,
    "latest_workflow_id" INTEGER,
    "name" TEXT,
    "deleted" BOOLEAN,
    "hidden" BOOLEAN,
    "importable" BOOLEAN,
    "slug" TEXT,
    "from_path" TEXT,
    "published" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("latest_workflow_id") REFERENCES "workflow" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "stored_workflow_annotation_association" (
    "id" INTEGER NOT NULL,
    "stored_workflow_id" INTEGER,
    "user_id" INTEGER,
    "annotation" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("stored_workflow_id") REFERENCES "stored_workflow" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "stored_workflow_menu_entry" (
    "id" INTEGER NOT NULL,
    "stored_workflow_id" INTEGER,
    "user_id" INTEGER,
    "order_index" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("stored_workflow_id") REFERENCES "stored_workflow" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "stored_workflow_rating_association" (
    "id" INTEGER NOT NULL,
    "stored_workflow_id" INTEGER,
    "user_id" INTEGER,
    "rating" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("stored_workflow_id") REFERENCES "stored_workflow" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "stored_workflow_tag_association" (
    "id" INTEGER NOT NULL,
    "stored_workflow_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("stored_workflow_id") REFERENCES "stored_workflow" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "stored_workflow_user_share_connection" (
    "id" INTEGER NOT NULL,
    "stored_workflow_id" INTEGER,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("stored_workflow_id") REFERENCES "stored_workflow" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "tag" (
    "id" INTEGER NOT NULL,
    "type" INTEGER,
    "parent_id" INTEGER,
    "name" VARCHAR(255),
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("parent_id") REFERENCES "tag" ("id")
);

CREATE TABLE "task" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "execution_time" DATETIME,
    "update_time" DATETIME,
    "state" VARCHAR(64),
    "command_line" TEXT,
    "param_filename" VARCHAR(1024),
    "runner_name" VARCHAR(255),
    "job_stdout" TEXT,
    "job_stderr" TEXT,
    "tool_stdout" TEXT,
    "tool_stderr" TEXT,
    "exit_code" INTEGER,
    "job_messages" BLOB,
    "info" VARCHAR(255),
    "traceback" TEXT,
    "job_id" INTEGER NOT NULL,
    "working_directory" VARCHAR(1024),
    "task_runner_name" VARCHAR(255),
    "task_runner_external_id" VARCHAR(255),
    "prepare_input_files_cmd" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id")
);

CREATE TABLE "task_metric_numeric" (
    "id" INTEGER NOT NULL,
    "task_id" INTEGER,
    "plugin" VARCHAR(255),
    "metric_name" VARCHAR(255),
    "metric_value" NUMERIC(26, 7),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("task_id") REFERENCES "task" ("id")
);

CREATE TABLE "task_metric_text" (
    "id" INTEGER NOT NULL,
    "task_id" INTEGER,
    "plugin" VARCHAR(255),
    "metric_name" VARCHAR(255),
    "metric_value" VARCHAR(1023),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("task_id") REFERENCES "task" ("id")
);

CREATE TABLE "tool_dependency" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "tool_shed_repository_id" INTEGER NOT NULL,
    "name" VARCHAR(255),
    "version" TEXT,
    "type" VARCHAR(40),
    "status" VARCHAR(255) NOT NULL,
    "error_message" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("tool_shed_repository_id") REFERENCES "tool_shed_repository" ("id")
);

CREATE TABLE "tool_landing_request" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "uuid" VARCHAR(32) NOT NULL,
    "tool_id" VARCHAR(255) NOT NULL,
    "tool_version" VARCHAR(255),
    "request_state" BLOB,
    "client_secret" VARCHAR(255),
    "public" BOOLEAN NOT NULL,
    "origin" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "tool_request" (
    "id" INTEGER NOT NULL,
    "tool_source_id" INTEGER NOT NULL,
    "history_id" INTEGER NOT NULL,
    "request" BLOB NOT NULL,
    "state" VARCHAR(32),
    "state_message" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("tool_source_id") REFERENCES "tool_source" ("id")
);

CREATE TABLE "tool_request_implicit_collection_association" (
    "id" INTEGER NOT NULL,
    "tool_request_id" INTEGER NOT NULL,
    "dataset_collection_id" INTEGER NOT NULL,
    "output_name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("tool_request_id") REFERENCES "tool_request" ("id")
);

CREATE TABLE "tool_shed_repository" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "tool_shed" VARCHAR(255),
    "name" VARCHAR(255),
    "description" TEXT,
    "owner" VARCHAR(255),
    "installed_changeset_revision" VARCHAR(255),
    "changeset_revision" VARCHAR(255),
    "ctx_rev" VARCHAR(10),
    "metadata" BLOB,
    "includes_datatypes" BOOLEAN,
    "tool_shed_status" BLOB,
    "deleted" BOOLEAN,
    "uninstalled" BOOLEAN,
    "dist_to_shed" BOOLEAN,
    "status" VARCHAR(255),
    "error_message" TEXT,
    PRIMARY KEY ("id")
);

CREATE TABLE "tool_source" (
    "id" INTEGER NOT NULL,
    "hash" VARCHAR(255),
    "source" BLOB NOT NULL,
    "source_class" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "tool_tag_association" (
    "id" INTEGER NOT NULL,
    "tool_id" VARCHAR(255),
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "tool_version" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "tool_id" VARCHAR(255),
    "tool_shed_repository_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("tool_shed_repository_id") REFERENCES "tool_shed_repository" ("id")
);

CREATE TABLE "tool_version_association" (
    "id" INTEGER NOT NULL,
    "tool_id" INTEGER NOT NULL,
    "parent_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "tool_version" ("id"),
    FOREIGN KEY ("tool_id") REFERENCES "tool_version" ("id")
);

CREATE TABLE "user_action" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "user_id" INTEGER,
    "session_id" INTEGER,
    "action" VARCHAR(255),
    "context" VARCHAR(512),
    "params" VARCHAR(1024),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("session_id") REFERENCES "galaxy_session" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_address" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "user_id" INTEGER,
    "desc" VARCHAR(255),
    "name" VARCHAR(255) NOT NULL,
    "institution" VARCHAR(255),
    "address" VARCHAR(255) NOT NULL,
    "city" VARCHAR(255) NOT NULL,
    "state" VARCHAR(255) NOT NULL,
    "postal_code" VARCHAR(255) NOT NULL,
    "country" VARCHAR(255) NOT NULL,
    "phone" VARCHAR(255),
    "deleted" BOOLEAN,
    "purged" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_credentials" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "source_type" VARCHAR NOT NULL,
    "source_id" VARCHAR NOT NULL,
    "source_version" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "version" VARCHAR NOT NULL,
    "current_group_id" INTEGER,
    "create_time" DATETIME NOT NULL,
    "update_time" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "source_type", "source_id", "source_version", "name", "version"),
    FOREIGN KEY ("current_group_id") REFERENCES "credentials_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_dynamic_tool_association" (
    "id" INTEGER NOT NULL,
    "dynamic_tool_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "hidden" BOOLEAN,
    "active" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dynamic_tool_id") REFERENCES "dynamic_tool" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_file_source" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "uuid" VARCHAR(32) NOT NULL,
    "create_time" DATETIME NOT NULL,
    "update_time" DATETIME NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT,
    "hidden" BOOLEAN NOT NULL,
    "active" BOOLEAN NOT NULL,
    "purged" BOOLEAN NOT NULL,
    "template_id" VARCHAR(255) NOT NULL,
    "template_version" INTEGER NOT NULL,
    "template_definition" BLOB,
    "template_variables" BLOB,
    "template_secrets" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_group_association" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "galaxy_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_notification_association" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "notification_id" INTEGER,
    "seen_time" DATETIME,
    "deleted" BOOLEAN,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("notification_id") REFERENCES "notification" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_object_store" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "uuid" VARCHAR(32) NOT NULL,
    "create_time" DATETIME NOT NULL,
    "update_time" DATETIME NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT,
    "hidden" BOOLEAN NOT NULL,
    "active" BOOLEAN NOT NULL,
    "purged" BOOLEAN NOT NULL,
    "template_id" VARCHAR(255) NOT NULL,
    "template_version" INTEGER NOT NULL,
    "template_definition" BLOB,
    "template_variables" BLOB,
    "template_secrets" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_preference" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "name" VARCHAR(255),
    "value" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_quota_association" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "quota_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("quota_id") REFERENCES "quota" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_quota_source_usage" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "quota_source_label" VARCHAR(32),
    "disk_usage" NUMERIC(15, 0) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "quota_source_label"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "user_role_association" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "role_id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "role_id"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "vault" (
    "key" TEXT NOT NULL,
    "parent_key" TEXT,
    "value" TEXT,
    "create_time" DATETIME,
    "update_time" DATETIME,
    PRIMARY KEY ("key"),
    FOREIGN KEY ("parent_key") REFERENCES "vault" ("key")
);

CREATE TABLE "visualization" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "user_id" INTEGER NOT NULL,
    "latest_revision_id" INTEGER,
    "title" TEXT,
    "type" TEXT,
    "dbkey" TEXT,
    "deleted" BOOLEAN,
    "importable" BOOLEAN,
    "slug" TEXT,
    "published" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("latest_revision_id") REFERENCES "visualization_revision" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id")
);

CREATE TABLE "visualization_annotation_association" (
    "id" INTEGER NOT NULL,
    "visualization_id" INTEGER,
    "user_id" INTEGER,
    "annotation" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id"),
    FOREIGN KEY ("visualization_id") REFERENCES "visualization" ("id")
);

CREATE TABLE "visualization_rating_association" (
    "id" INTEGER NOT NULL,
    "visualization_id" INTEGER,
    "user_id" INTEGER,
    "rating" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id"),
    FOREIGN KEY ("visualization_id") REFERENCES "visualization" ("id")
);

CREATE TABLE "visualization_revision" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "visualization_id" INTEGER NOT NULL,
    "title" TEXT,
    "dbkey" TEXT,
    "config" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("visualization_id") REFERENCES "visualization" ("id")
);

CREATE TABLE "visualization_tag_association" (
    "id" INTEGER NOT NULL,
    "visualization_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id"),
    FOREIGN KEY ("visualization_id") REFERENCES "visualization" ("id")
);

CREATE TABLE "visualization_user_share_association" (
    "id" INTEGER NOT NULL,
    "visualization_id" INTEGER,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id"),
    FOREIGN KEY ("visualization_id") REFERENCES "visualization" ("id")
);

CREATE TABLE "worker_process" (
    "id" INTEGER NOT NULL,
    "server_name" VARCHAR(255),
    "hostname" VARCHAR(255),
    "pid" INTEGER,
    "update_time" DATETIME,
    "app_type" VARCHAR,
    PRIMARY KEY ("id"),
    UNIQUE ("server_name", "hostname")
);

CREATE TABLE "workflow" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "stored_workflow_id" INTEGER,
    "parent_workflow_id" INTEGER,
    "name" TEXT,
    "has_cycles" BOOLEAN,
    "has_errors" BOOLEAN,
    "reports_config" BLOB,
    "creator_metadata" BLOB,
    "license" TEXT,
    "source_metadata" BLOB,
    "readme" TEXT,
    "logo_url" TEXT,
    "help" TEXT,
    "uuid" VARCHAR(32),
    "doi" JSON,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent_workflow_id") REFERENCES "workflow" ("id"),
    FOREIGN KEY ("stored_workflow_id") REFERENCES "stored_workflow" ("id")
);

CREATE TABLE "workflow_comment" (
    "id" INTEGER NOT NULL,
    "order_index" INTEGER,
    "workflow_id" INTEGER NOT NULL,
    "position" BLOB,
    "size" BLOB,
    "type" VARCHAR(16),
    "color" VARCHAR(16),
    "data" BLOB,
    "parent_comment_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent_comment_id") REFERENCES "workflow_comment" ("id"),
    FOREIGN KEY ("workflow_id") REFERENCES "workflow" ("id")
);

CREATE TABLE "workflow_invocation" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "workflow_id" INTEGER NOT NULL,
    "state" VARCHAR(64),
    "scheduler" VARCHAR(255),
    "handler" VARCHAR(255),
    "uuid" VARCHAR(32),
    "history_id" INTEGER,
    "on_complete" JSON,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("history_id") REFERENCES "history" ("id"),
    FOREIGN KEY ("workflow_id") REFERENCES "workflow" ("id")
);

CREATE TABLE "workflow_invocation_completion" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER NOT NULL,
    "completion_time" DATETIME NOT NULL,
    "job_state_summary" JSON,
    "hooks_executed" JSON,
    PRIMARY KEY ("id"),
    UNIQUE ("workflow_invocation_id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id")
);

CREATE TABLE "workflow_invocation_message" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER NOT NULL,
    "reason" VARCHAR(32),
    "details" VARCHAR(255),
    "output_name" VARCHAR(255),
    "workflow_step_id" INTEGER,
    "dependent_workflow_step_id" INTEGER,
    "job_id" INTEGER,
    "hda_id" INTEGER,
    "hdca_id" INTEGER,
    "workflow_step_index_path" JSON,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dependent_workflow_step_id") REFERENCES "workflow_step" ("id"),
    FOREIGN KEY ("hda_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("hdca_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_invocation_output_dataset_association" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER,
    "workflow_step_id" INTEGER,
    "dataset_id" INTEGER,
    "workflow_output_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_output_id") REFERENCES "workflow_output" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_invocation_output_dataset_collection_association" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER,
    "workflow_step_id" INTEGER,
    "dataset_collection_id" INTEGER,
    "workflow_output_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_output_id") REFERENCES "workflow_output" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_invocation_output_value" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER,
    "workflow_step_id" INTEGER,
    "workflow_output_id" INTEGER,
    "value" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_output_id") REFERENCES "workflow_output" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_invocation_step" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "workflow_invocation_id" INTEGER NOT NULL,
    "workflow_step_id" INTEGER NOT NULL,
    "state" VARCHAR(64),
    "job_id" INTEGER,
    "implicit_collection_jobs_id" INTEGER,
    "action" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("implicit_collection_jobs_id") REFERENCES "implicit_collection_jobs" ("id"),
    FOREIGN KEY ("job_id") REFERENCES "job" ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_invocation_step_output_dataset_association" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_step_id" INTEGER,
    "dataset_id" INTEGER,
    "output_name" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("workflow_invocation_step_id") REFERENCES "workflow_invocation_step" ("id")
);

CREATE TABLE "workflow_invocation_step_output_dataset_collection_association" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_step_id" INTEGER,
    "workflow_step_id" INTEGER,
    "dataset_collection_id" INTEGER,
    "output_name" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("workflow_invocation_step_id") REFERENCES "workflow_invocation_step" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_invocation_to_subworkflow_invocation_association" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER,
    "subworkflow_invocation_id" INTEGER,
    "workflow_step_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("subworkflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_landing_request" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "workflow_id" INTEGER,
    "stored_workflow_id" INTEGER,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "uuid" VARCHAR(32) NOT NULL,
    "request_state" BLOB,
    "client_secret" VARCHAR(255),
    "workflow_source" VARCHAR(255),
    "workflow_source_type" VARCHAR(255),
    "public" BOOLEAN NOT NULL,
    "origin" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("stored_workflow_id") REFERENCES "workflow" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id"),
    FOREIGN KEY ("workflow_id") REFERENCES "stored_workflow" ("id")
);

CREATE TABLE "workflow_output" (
    "id" INTEGER NOT NULL,
    "workflow_step_id" INTEGER NOT NULL,
    "output_name" VARCHAR(255),
    "label" VARCHAR(255),
    "uuid" VARCHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_request_input_parameters" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER,
    "name" VARCHAR(255),
    "value" TEXT,
    "type" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id")
);

CREATE TABLE "workflow_request_input_step_parameter" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER,
    "workflow_step_id" INTEGER,
    "parameter_value" BLOB,
    "request" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_request_step_states" (
    "id" INTEGER NOT NULL,
    "workflow_invocation_id" INTEGER,
    "workflow_step_id" INTEGER,
    "value" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_request_to_input_collection_dataset" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255),
    "workflow_invocation_id" INTEGER,
    "workflow_step_id" INTEGER,
    "dataset_collection_id" INTEGER,
    "request" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_collection_id") REFERENCES "history_dataset_collection_association" ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_request_to_input_dataset" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255),
    "workflow_invocation_id" INTEGER,
    "workflow_step_id" INTEGER,
    "dataset_id" INTEGER,
    "request" BLOB,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "history_dataset_association" ("id"),
    FOREIGN KEY ("workflow_invocation_id") REFERENCES "workflow_invocation" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_step" (
    "id" INTEGER NOT NULL,
    "create_time" DATETIME,
    "update_time" DATETIME,
    "workflow_id" INTEGER NOT NULL,
    "subworkflow_id" INTEGER,
    "dynamic_tool_id" INTEGER,
    "type" VARCHAR(64),
    "tool_id" TEXT,
    "tool_version" TEXT,
    "tool_inputs" BLOB,
    "tool_errors" BLOB,
    "position" BLOB,
    "config" BLOB,
    "order_index" INTEGER NOT NULL,
    "when_expression" BLOB,
    "uuid" VARCHAR(32),
    "label" VARCHAR(255),
    "parent_comment_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dynamic_tool_id") REFERENCES "dynamic_tool" ("id"),
    FOREIGN KEY ("parent_comment_id") REFERENCES "workflow_comment" ("id"),
    FOREIGN KEY ("subworkflow_id") REFERENCES "workflow" ("id"),
    FOREIGN KEY ("workflow_id") REFERENCES "workflow" ("id")
);

CREATE TABLE "workflow_step_annotation_association" (
    "id" INTEGER NOT NULL,
    "workflow_step_id" INTEGER,
    "user_id" INTEGER,
    "annotation" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_step_connection" (
    "id" INTEGER NOT NULL,
    "output_step_id" INTEGER,
    "input_step_input_id" INTEGER,
    "output_name" TEXT,
    "input_subworkflow_step_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("input_step_input_id") REFERENCES "workflow_step_input" ("id"),
    FOREIGN KEY ("input_subworkflow_step_id") REFERENCES "workflow_step" ("id"),
    FOREIGN KEY ("output_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_step_input" (
    "id" INTEGER NOT NULL,
    "workflow_step_id" INTEGER,
    "name" TEXT,
    "merge_type" TEXT,
    "scatter_type" TEXT,
    "value_from" BLOB,
    "value_from_type" TEXT,
    "default_value" BLOB,
    "default_value_set" BOOLEAN,
    "runtime_value" BOOLEAN,
    PRIMARY KEY ("id"),
    UNIQUE ("workflow_step_id", "name"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);

CREATE TABLE "workflow_step_tag_association" (
    "id" INTEGER NOT NULL,
    "workflow_step_id" INTEGER,
    "tag_id" INTEGER,
    "user_id" INTEGER,
    "user_tname" VARCHAR(255),
    "value" VARCHAR(255),
    "user_value" VARCHAR(255),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "tag" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "galaxy_user" ("id"),
    FOREIGN KEY ("workflow_step_id") REFERENCES "workflow_step" ("id")
);
