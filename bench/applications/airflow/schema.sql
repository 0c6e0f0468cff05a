CREATE TABLE "ab_group" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "label" VARCHAR(150),
    "description" VARCHAR(512),
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "ab_group_role" (
    "id" INTEGER NOT NULL,
    "group_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "role_id"),
    FOREIGN KEY ("group_id") REFERENCES "ab_group" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "ab_role" ("id")
);

CREATE TABLE "ab_permission" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "ab_permission_view" (
    "id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,
    "view_menu_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("permission_id", "view_menu_id"),
    FOREIGN KEY ("permission_id") REFERENCES "ab_permission" ("id"),
    FOREIGN KEY ("view_menu_id") REFERENCES "ab_view_menu" ("id")
);

CREATE TABLE "ab_permission_view_role" (
    "id" INTEGER NOT NULL,
    "permission_view_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("permission_view_id", "role_id"),
    FOREIGN KEY ("permission_view_id") REFERENCES "ab_permission_view" ("id"),
    FOREIGN KEY ("role_id") REFERENCES "ab_role" ("id")
);

CREATE TABLE "ab_register_user" (
    "id" INTEGER NOT NULL,
    "first_name" VARCHAR(256) NOT NULL,
    "last_name" VARCHAR(256) NOT NULL,
    "username" VARCHAR(512) NOT NULL,
    "password" VARCHAR(256),
    "email" VARCHAR(512) NOT NULL,
    "registration_date" DATETIME,
    "registration_hash" VARCHAR(256),
    PRIMARY KEY ("id"),
    UNIQUE ("email"),
    UNIQUE ("username")
);

CREATE TABLE "ab_role" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "ab_user" (
    "id" INTEGER NOT NULL,
    "first_name" VARCHAR(256) NOT NULL,
    "last_name" VARCHAR(256) NOT NULL,
    "username" VARCHAR(512) NOT NULL,
    "password" VARCHAR(256),
    "active" BOOLEAN,
    "email" VARCHAR(512) NOT NULL,
    "last_login" DATETIME,
    "login_count" INTEGER,
    "fail_login_count" INTEGER,
    "created_on" DATETIME,
    "changed_on" DATETIME,
    "created_by_fk" INTEGER,
    "changed_by_fk" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("email"),
    UNIQUE ("username"),
    FOREIGN KEY ("changed_by_fk") REFERENCES "ab_user" ("id"),
    FOREIGN KEY ("created_by_fk") REFERENCES "ab_user" ("id")
);

CREATE TABLE "ab_user_group" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "group_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "group_id"),
    FOREIGN KEY ("group_id") REFERENCES "ab_group" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "ab_user_role" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "role_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "role_id"),
    FOREIGN KEY ("role_id") REFERENCES "ab_role" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "ab_user" ("id")
);

CREATE TABLE "ab_view_menu" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(250) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "alembic_version" (
    "version_num" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("version_num")
);

CREATE TABLE "alembic_version_fab" (
    "version_num" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("version_num")
);

CREATE TABLE "asset" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(1500) NOT NULL,
    "uri" VARCHAR(1500) NOT NULL,
    "group" VARCHAR(1500) NOT NULL,
    "extra" JSON NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name", "uri")
);

CREATE TABLE "asset_active" (
    "name" VARCHAR(1500) NOT NULL,
    "uri" VARCHAR(1500) NOT NULL,
    PRIMARY KEY ("name", "uri"),
    UNIQUE ("name"),
    UNIQUE ("uri"),
    FOREIGN KEY ("name", "uri") REFERENCES "asset" ("name", "uri")
);

CREATE TABLE "asset_alias" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(1500) NOT NULL,
    "group" VARCHAR(1500) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "asset_alias_asset" (
    "alias_id" INTEGER NOT NULL,
    "asset_id" INTEGER NOT NULL,
    PRIMARY KEY ("alias_id", "asset_id"),
    FOREIGN KEY ("alias_id") REFERENCES "asset_alias" ("id"),
    FOREIGN KEY ("asset_id") REFERENCES "asset" ("id")
);

CREATE TABLE "asset_alias_asset_event" (
    "alias_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    PRIMARY KEY ("alias_id", "event_id"),
    FOREIGN KEY ("alias_id") REFERENCES "asset_alias" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "asset_event" ("id")
);

CREATE TABLE "asset_dag_run_queue" (
    "asset_id" INTEGER NOT NULL,
    "target_dag_id" VARCHAR(250) NOT NULL,
    "created_at" DATETIME NOT NULL,
    PRIMARY KEY ("asset_id", "target_dag_id"),
    FOREIGN KEY ("asset_id") REFERENCES "asset" ("id"),
    FOREIGN KEY ("target_dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "asset_event" (
    "id" INTEGER NOT NULL,
    "asset_id" INTEGER NOT NULL,
    "extra" JSON NOT NULL,
    "source_task_id" VARCHAR(250),
    "source_dag_id" VARCHAR(250),
    "source_run_id" VARCHAR(250),
    "source_map_index" INTEGER,
    "timestamp" DATETIME NOT NULL,
    "partition_key" VARCHAR(250),
    PRIMARY KEY ("id")
);

CREATE TABLE "asset_partition_dag_run" (
    "id" INTEGER NOT NULL,
    "target_dag_id" VARCHAR(250) NOT NULL,
    "created_dag_run_id" INTEGER,
    "partition_key" VARCHAR(250) NOT NULL,
    "partition_date" DATETIME,
    "rollup_fingerprint" JSON,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("created_dag_run_id") REFERENCES "dag_run" ("id")
);

CREATE TABLE "asset_state_store" (
    "asset_id" INTEGER NOT NULL,
    "key" VARCHAR(512) NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" DATETIME NOT NULL,
    "last_updated_by_kind" VARCHAR(16),
    "last_updated_by_dag_id" VARCHAR(250),
    "last_updated_by_run_id" VARCHAR(250),
    "last_updated_by_task_id" VARCHAR(250),
    "last_updated_by_map_index" INTEGER,
    PRIMARY KEY ("asset_id", "key"),
    FOREIGN KEY ("asset_id") REFERENCES "asset" ("id")
);

CREATE TABLE "asset_watcher" (
    "name" VARCHAR(1500) NOT NULL,
    "asset_id" INTEGER NOT NULL,
    "trigger_id" INTEGER NOT NULL,
    PRIMARY KEY ("asset_id", "trigger_id"),
    FOREIGN KEY ("asset_id") REFERENCES "asset" ("id"),
    FOREIGN KEY ("trigger_id") REFERENCES "trigger" ("id")
);

CREATE TABLE "backfill" (
    "id" INTEGER NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "from_date" DATETIME NOT NULL,
    "to_date" DATETIME NOT NULL,
    "dag_run_conf" JSON NOT NULL,
    "is_paused" BOOLEAN,
    "reprocess_behavior" VARCHAR(250) NOT NULL,
    "max_active_runs" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    "completed_at" DATETIME,
    "updated_at" DATETIME NOT NULL,
    "triggering_user_name" VARCHAR(512),
    PRIMARY KEY ("id")
);

CREATE TABLE "backfill_dag_run" (
    "id" INTEGER NOT NULL,
    "backfill_id" INTEGER NOT NULL,
    "dag_run_id" INTEGER,
    "exception_reason" VARCHAR(250),
    "logical_date" DATETIME,
    "partition_key" VARCHAR(250),
    "sort_ordinal" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("backfill_id", "dag_run_id"),
    FOREIGN KEY ("backfill_id") REFERENCES "backfill" ("id"),
    FOREIGN KEY ("dag_run_id") REFERENCES "dag_run" ("id")
);

CREATE TABLE "callback" (
    "id" VARCHAR(32) NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "fetch_method" VARCHAR(20) NOT NULL,
    "data" JSON NOT NULL,
    "bundle_name" VARCHAR(250),
    "state" VARCHAR(10),
    "output" TEXT,
    "priority_weight" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    "trigger_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("trigger_id") REFERENCES "trigger" ("id")
);

CREATE TABLE "connection" (
    "id" INTEGER NOT NULL,
    "conn_id" VARCHAR(250) NOT NULL,
    "conn_type" VARCHAR(500) NOT NULL,
    "description" VARCHAR(5000),
    "host" VARCHAR(500),
    "schema" VARCHAR(500),
    "login" TEXT,
    "port" INTEGER,
    "team_name" VARCHAR(50),
    "password" TEXT,
    "extra" TEXT,
    "is_encrypted" BOOLEAN NOT NULL,
    "is_extra_encrypted" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("conn_id"),
    FOREIGN KEY ("team_name") REFERENCES "team" ("name")
);

CREATE TABLE "connection_test_request" (
    "id" VARCHAR(32) NOT NULL,
    "token" VARCHAR(64) NOT NULL,
    "connection_id" VARCHAR(250) NOT NULL,
    "state" VARCHAR(20) NOT NULL,
    "result_message" VARCHAR(2000),
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    "executor" VARCHAR(256),
    "queue" VARCHAR(256),
    "conn_type" VARCHAR(500) NOT NULL,
    "host" VARCHAR(500),
    "login" TEXT,
    "schema" VARCHAR(500),
    "port" INTEGER,
    "commit_on_success" BOOLEAN NOT NULL,
    "is_encrypted" BOOLEAN NOT NULL,
    "is_extra_encrypted" BOOLEAN NOT NULL,
    "active_connection_id" VARCHAR(250),
    "team_name" VARCHAR(50),
    "password" TEXT,
    "extra" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("active_connection_id"),
    UNIQUE ("token")
);

CREATE TABLE "dag" (
    "dag_id" VARCHAR(250) NOT NULL,
    "is_paused" BOOLEAN NOT NULL,
    "is_stale" BOOLEAN NOT NULL,
    "exceeds_max_non_backfill" BOOLEAN NOT NULL,
    "last_parsed_time" DATETIME,
    "last_parse_duration" FLOAT,
    "last_expired" DATETIME,
    "fileloc" VARCHAR(2000),
    "relative_fileloc" VARCHAR(2000),
    "bundle_name" VARCHAR(250) NOT NULL,
    "bundle_version" VARCHAR(200),
    "owners" VARCHAR(2000),
    "dag_display_name" VARCHAR(2000),
    "description" TEXT,
    "timetable_type" VARCHAR(255) NOT NULL,
    "timetable_summary" TEXT,
    "timetable_description" VARCHAR(1000),
    "timetable_partitioned" BOOLEAN NOT NULL,
    "timetable_periodic" BOOLEAN NOT NULL,
    "partition_mapper_info" JSON NOT NULL,
    "asset_expression" JSON,
    "deadline" JSON,
    "max_active_tasks" INTEGER NOT NULL,
    "max_active_runs" INTEGER,
    "max_consecutive_failed_dag_runs" INTEGER NOT NULL,
    "has_task_concurrency_limits" BOOLEAN NOT NULL,
    "has_import_errors" BOOLEAN,
    "fail_fast" BOOLEAN NOT NULL,
    "allowed_run_types" JSON,
    "next_dagrun" DATETIME,
    "next_dagrun_data_interval_start" DATETIME,
    "next_dagrun_data_interval_end" DATETIME,
    "next_dagrun_partition_key" VARCHAR(255),
    "next_dagrun_partition_date" DATETIME,
    "next_dagrun_create_after" DATETIME,
    PRIMARY KEY ("dag_id"),
    FOREIGN KEY ("bundle_name") REFERENCES "dag_bundle" ("name")
);

CREATE TABLE "dag_bundle" (
    "name" VARCHAR(250) NOT NULL,
    "active" BOOLEAN,
    "version" VARCHAR(200),
    "last_refreshed" DATETIME,
    "signed_url_template" TEXT,
    "template_params" JSON,
    PRIMARY KEY ("name")
);

CREATE TABLE "dag_bundle_team" (
    "dag_bundle_name" VARCHAR(250) NOT NULL,
    "team_name" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("dag_bundle_name", "team_name"),
    UNIQUE ("dag_bundle_name"),
    FOREIGN KEY ("dag_bundle_name") REFERENCES "dag_bundle" ("name"),
    FOREIGN KEY ("team_name") REFERENCES "team" ("name")
);

CREATE TABLE "dag_code" (
    "id" VARCHAR(32) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "fileloc" VARCHAR(2000) NOT NULL,
    "created_at" DATETIME NOT NULL,
    "last_updated" DATETIME NOT NULL,
    "source_code" TEXT NOT NULL,
    "source_code_hash" VARCHAR(32) NOT NULL,
    "dag_version_id" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("dag_version_id"),
    FOREIGN KEY ("dag_version_id") REFERENCES "dag_version" ("id")
);

CREATE TABLE "dag_favorite" (
    "user_id" VARCHAR(250) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    PRIMARY KEY ("user_id", "dag_id"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dag_owner_attributes" (
    "dag_id" VARCHAR(250) NOT NULL,
    "owner" VARCHAR(500) NOT NULL,
    "link" VARCHAR(500) NOT NULL,
    PRIMARY KEY ("dag_id", "owner"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dag_priority_parsing_request" (
    "id" VARCHAR(32) NOT NULL,
    "bundle_name" VARCHAR(250) NOT NULL,
    "relative_fileloc" VARCHAR(2000) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "dag_run" (
    "id" INTEGER NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "queued_at" DATETIME,
    "logical_date" DATETIME,
    "start_date" DATETIME,
    "end_date" DATETIME,
    "state" VARCHAR(50),
    "run_id" VARCHAR(250) NOT NULL,
    "creating_job_id" INTEGER,
    "run_type" VARCHAR(50) NOT NULL,
    "triggered_by" VARCHAR(50),
    "triggering_user_name" VARCHAR(512),
    "conf" JSON,
    "data_interval_start" DATETIME,
    "data_interval_end" DATETIME,
    "run_after" DATETIME NOT NULL,
    "last_scheduling_decision" DATETIME,
    "log_template_id" INTEGER,
    "created_at" DATETIME,
    "updated_at" DATETIME,
    "clear_number" INTEGER NOT NULL,
    "backfill_id" INTEGER,
    "bundle_version" VARCHAR(250),
    "scheduled_by_job_id" INTEGER,
    "context_carrier" JSON,
    "span_status" VARCHAR(250) NOT NULL,
    "created_dag_version_id" VARCHAR(32),
    "partition_key" VARCHAR(250),
    "partition_date" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("dag_id", "logical_date"),
    UNIQUE ("dag_id", "run_id"),
    FOREIGN KEY ("backfill_id") REFERENCES "backfill" ("id"),
    FOREIGN KEY ("created_dag_version_id") REFERENCES "dag_version" ("id"),
    FOREIGN KEY ("log_template_id") REFERENCES "log_template" ("id")
);

CREATE TABLE "dag_run_note" (
    "user_id" VARCHAR(128),
    "dag_run_id" INTEGER NOT NULL,
    "content" VARCHAR(1000),
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("dag_run_id"),
    FOREIGN KEY ("dag_run_id") REFERENCES "dag_run" ("id")
);

CREATE TABLE "dag_schedule_asset_alias_reference" (
    "alias_id" INTEGER NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("alias_id", "dag_id"),
    FOREIGN KEY ("alias_id") REFERENCES "asset_alias" ("id"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dag_schedule_asset_name_reference" (
    "name" VARCHAR(1500) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "created_at" DATETIME NOT NULL,
    PRIMARY KEY ("name", "dag_id"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dag_schedule_asset_reference" (
    "asset_id" INTEGER NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "allow_producer_teams" JSON,
    "allow_global_producers" BOOLEAN NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("asset_id", "dag_id"),
    FOREIGN KEY ("asset_id") REFERENCES "asset" ("id"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dag_schedule_asset_uri_reference" (
    "uri" VARCHAR(1500) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "created_at" DATETIME NOT NULL,
    PRIMARY KEY ("uri", "dag_id"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dag_tag" (
    "name" VARCHAR(100) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    PRIMARY KEY ("name", "dag_id"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dag_version" (
    "id" VARCHAR(32) NOT NULL,
    "version_number" INTEGER NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "bundle_name" VARCHAR(250),
    "bundle_version" VARCHAR(250),
    "version_data" JSON,
    "created_at" DATETIME NOT NULL,
    "last_updated" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("dag_id", "version_number"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dag_warning" (
    "dag_id" VARCHAR(250) NOT NULL,
    "warning_type" VARCHAR(50) NOT NULL,
    "message" TEXT NOT NULL,
    "timestamp" DATETIME NOT NULL,
    PRIMARY KEY ("dag_id", "warning_type"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "dagrun_asset_event" (
    "dag_run_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    PRIMARY KEY ("dag_run_id", "event_id"),
    FOREIGN KEY ("dag_run_id") REFERENCES "dag_run" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "asset_event" ("id")
);

CREATE TABLE "deadline" (
    "id" VARCHAR(32) NOT NULL,
    "created_at" DATETIME NOT NULL,
    "last_updated_at" DATETIME NOT NULL,
    "dagrun_id" INTEGER,
    "deadline_time" DATETIME NOT NULL,
    "missed" BOOLEAN NOT NULL,
    "callback_id" VARCHAR(32) NOT NULL,
    "deadline_alert_id" VARCHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("callback_id") REFERENCES "callback" ("id"),
    FOREIGN KEY ("dagrun_id") REFERENCES "dag_run" ("id"),
    FOREIGN KEY ("deadline_alert_id") REFERENCES "deadline_alert" ("id")
);

CREATE TABLE "deadline_alert" (
    "id" VARCHAR(32) NOT NULL,
    "created_at" DATETIME NOT NULL,
    "serialized_dag_id" VARCHAR(32) NOT NULL,
    "name" VARCHAR(250),
    "description" TEXT,
    "reference" JSON NOT NULL,
    "interval" JSON NOT NULL,
    "callback_def" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("serialized_dag_id") REFERENCES "serialized_dag" ("id")
);

CREATE TABLE "hitl_detail" (
    "ti_id" VARCHAR(32) NOT NULL,
    "options" JSON NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT,
    "defaults" JSON,
    "multiple" BOOLEAN,
    "params" JSON NOT NULL,
    "assignees" JSON,
    "created_at" DATETIME NOT NULL,
    "responded_at" DATETIME,
    "responded_by" JSON,
    "chosen_options" JSON,
    "params_input" JSON NOT NULL,
    PRIMARY KEY ("ti_id"),
    FOREIGN KEY ("ti_id") REFERENCES "task_instance" ("id")
);

CREATE TABLE "hitl_detail_history" (
    "ti_history_id" VARCHAR(32) NOT NULL,
    "options" JSON NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT,
    "defaults" JSON,
    "multiple" BOOLEAN,
    "params" JSON NOT NULL,
    "assignees" JSON,
    "created_at" DATETIME NOT NULL,
    "responded_at" DATETIME,
    "responded_by" JSON,
    "chosen_options" JSON,
    "params_input" JSON NOT NULL,
    PRIMARY KEY ("ti_history_id"),
    FOREIGN KEY ("ti_history_id") REFERENCES "task_instance_history" ("task_instance_id")
);

CREATE TABLE "import_error" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME,
    "filename" VARCHAR(1024),
    "bundle_name" VARCHAR(250),
    "stacktrace" TEXT,
    PRIMARY KEY ("id")
);

CREATE TABLE "job" (
    "id" INTEGER NOT NULL,
    "dag_id" VARCHAR(250),
    "state" VARCHAR(20),
    "job_type" VARCHAR(30),
    "start_date" DATETIME,
    "end_date" DATETIME,
    "latest_heartbeat" DATETIME,
    "executor_class" VARCHAR(500),
    "hostname" VARCHAR(500),
    "unixname" VARCHAR(1000),
    PRIMARY KEY ("id")
);

CREATE TABLE "log" (
    "id" INTEGER NOT NULL,
    "dttm" DATETIME,
    "dag_id" VARCHAR(250),
    "task_id" VARCHAR(250),
    "map_index" INTEGER,
    "event" VARCHAR(60) NOT NULL,
    "logical_date" DATETIME,
    "run_id" VARCHAR(250),
    "owner" VARCHAR(500),
    "owner_display_name" VARCHAR(500),
    "extra" TEXT,
    "try_number" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "log_template" (
    "id" INTEGER NOT NULL,
    "filename" TEXT NOT NULL,
    "elasticsearch_id" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "partitioned_asset_key_log" (
    "id" INTEGER NOT NULL,
    "asset_id" INTEGER NOT NULL,
    "asset_event_id" INTEGER NOT NULL,
    "asset_partition_dag_run_id" INTEGER NOT NULL,
    "source_partition_key" VARCHAR(250) NOT NULL,
    "target_dag_id" VARCHAR(250) NOT NULL,
    "target_partition_key" VARCHAR(250) NOT NULL,
    "created_at" DATETIME NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "rendered_task_instance_fields" (
    "dag_id" VARCHAR(250) NOT NULL,
    "task_id" VARCHAR(250) NOT NULL,
    "run_id" VARCHAR(250) NOT NULL,
    "map_index" INTEGER NOT NULL,
    "rendered_fields" JSON NOT NULL,
    "k8s_pod_yaml" JSON,
    PRIMARY KEY ("dag_id", "task_id", "run_id", "map_index"),
    FOREIGN KEY ("dag_id", "task_id", "run_id", "map_index") REFERENCES "task_instance" ("dag_id", "task_id", "run_id", "map_index")
);

CREATE TABLE "revoked_token" (
    "jti" VARCHAR(32) NOT NULL,
    "exp" DATETIME NOT NULL,
    PRIMARY KEY ("jti")
);

CREATE TABLE "serialized_dag" (
    "id" VARCHAR(32) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "data" JSON,
    "data_compressed" BLOB,
    "created_at" DATETIME NOT NULL,
    "last_updated" DATETIME NOT NULL,
    "dag_hash" VARCHAR(32) NOT NULL,
    "dag_version_id" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("dag_version_id"),
    FOREIGN KEY ("dag_version_id") REFERENCES "dag_version" ("id")
);

CREATE TABLE "session" (
    "id" INTEGER NOT NULL,
    "session_id" VARCHAR(255),
    "data" BLOB,
    "expiry" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("session_id")
);

CREATE TABLE "slot_pool" (
    "id" INTEGER NOT NULL,
    "pool" VARCHAR(256),
    "slots" INTEGER NOT NULL,
    "description" TEXT,
    "include_deferred" BOOLEAN NOT NULL,
    "team_name" VARCHAR(50),
    PRIMARY KEY ("id"),
    UNIQUE ("pool"),
    FOREIGN KEY ("team_name") REFERENCES "team" ("name")
);

CREATE TABLE "task_inlet_asset_reference" (
    "asset_id" INTEGER NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "task_id" VARCHAR(250) NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("asset_id", "dag_id", "task_id"),
    FOREIGN KEY ("asset_id") REFERENCES "asset" ("id"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "task_instance" (
    "id" VARCHAR(32) NOT NULL,
    "task_id" VARCHAR(250) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "run_id" VARCHAR(250) NOT NULL,
    "map_index" INTEGER NOT NULL,
    "start_date" DATETIME,
    "end_date" DATETIME,
    "duration" FLOAT,
    "state" VARCHAR(20),
    "try_number" INTEGER NOT NULL,
    "max_tries" INTEGER NOT NULL,
    "hostname" VARCHAR(1000),
    "unixname" VARCHAR(1000),
    "pool" VARCHAR(256) NOT NULL,
    "pool_slots" INTEGER NOT NULL,
    "queue" VARCHAR(256),
    "priority_weight" INTEGER,
    "operator" VARCHAR(1000),
    "custom_operator_name" VARCHAR(1000),
    "queued_dttm" DATETIME,
    "scheduled_dttm" DATETIME,
    "queued_by_job_id" INTEGER,
    "last_heartbeat_at" DATETIME,
    "pid" INTEGER,
    "executor" VARCHAR(1000),
    "executor_config" BLOB,
    "updated_at" DATETIME,
    "rendered_map_index" VARCHAR(250),
    "context_carrier" JSON,
    "span_status" VARCHAR(250) NOT NULL,
    "external_executor_id" TEXT,
    "trigger_id" INTEGER,
    "trigger_timeout" DATETIME,
    "next_method" VARCHAR(1000),
    "next_kwargs" JSON,
    "task_display_name" VARCHAR(2000),
    "dag_version_id" VARCHAR(32),
    "retry_delay_override" FLOAT,
    "retry_reason" VARCHAR(500),
    PRIMARY KEY ("id"),
    UNIQUE ("dag_id", "task_id", "run_id", "map_index"),
    FOREIGN KEY ("dag_id", "run_id") REFERENCES "dag_run" ("dag_id", "run_id"),
    FOREIGN KEY ("dag_version_id") REFERENCES "dag_version" ("id"),
    FOREIGN KEY ("trigger_id") REFERENCES "trigger" ("id")
);

CREATE TABLE "task_instance_history" (
    "task_instance_id" VARCHAR(32) NOT NULL,
    "task_id" VARCHAR(250) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "run_id" VARCHAR(250) NOT NULL,
    "map_index" INTEGER NOT NULL,
    "try_number" INTEGER NOT NULL,
    "start_date" DATETIME,
    "end_date" DATETIME,
    "duration" FLOAT,
    "state" VARCHAR(20),
    "max_tries" INTEGER,
    "hostname" VARCHAR(1000),
    "unixname" VARCHAR(1000),
    "pool" VARCHAR(256) NOT NULL,
    "pool_slots" INTEGER NOT NULL,
    "queue" VARCHAR(256),
    "priority_weight" INTEGER,
    "operator" VARCHAR(1000),
    "custom_operator_name" VARCHAR(1000),
    "queued_dttm" DATETIME,
    "scheduled_dttm" DATETIME,
    "queued_by_job_id" INTEGER,
    "pid" INTEGER,
    "executor" VARCHAR(1000),
    "executor_config" BLOB,
    "updated_at" DATETIME,
    "rendered_map_index" VARCHAR(250),
    "context_carrier" JSON,
    "span_status" VARCHAR(250) NOT NULL,
    "external_executor_id" TEXT,
    "trigger_id" INTEGER,
    "trigger_timeout" DATETIME,
    "next_method" VARCHAR(1000),
    "next_kwargs" JSON,
    "task_display_name" VARCHAR(2000),
    "dag_version_id" VARCHAR(32),
    "retry_delay_override" FLOAT,
    "retry_reason" VARCHAR(500),
    PRIMARY KEY ("task_instance_id"),
    UNIQUE ("dag_id", "task_id", "run_id", "map_index", "try_number"),
    FOREIGN KEY ("dag_id", "task_id", "run_id", "map_index") REFERENCES "task_instance" ("dag_id", "task_id", "run_id", "map_index")
);

CREATE TABLE "task_instance_note" (
    "ti_id" VARCHAR(32) NOT NULL,
    "user_id" VARCHAR(128),
    "content" VARCHAR(1000),
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("ti_id"),
    FOREIGN KEY ("ti_id") REFERENCES "task_instance" ("id")
);

CREATE TABLE "task_map" (
    "dag_id" VARCHAR(250) NOT NULL,
    "task_id" VARCHAR(250) NOT NULL,
    "run_id" VARCHAR(250) NOT NULL,
    "map_index" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "keys" JSON,
    PRIMARY KEY ("dag_id", "task_id", "run_id", "map_index"),
    FOREIGN KEY ("dag_id", "task_id", "run_id", "map_index") REFERENCES "task_instance" ("dag_id", "task_id", "run_id", "map_index")
);

CREATE TABLE "task_outlet_asset_reference" (
    "asset_id" INTEGER NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "task_id" VARCHAR(250) NOT NULL,
    "allow_consumer_teams" JSON,
    "allow_global_consumers" BOOLEAN NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    PRIMARY KEY ("asset_id", "dag_id", "task_id"),
    FOREIGN KEY ("asset_id") REFERENCES "asset" ("id"),
    FOREIGN KEY ("dag_id") REFERENCES "dag" ("dag_id")
);

CREATE TABLE "task_reschedule" (
    "id" INTEGER NOT NULL,
    "ti_id" VARCHAR(32) NOT NULL,
    "start_date" DATETIME NOT NULL,
    "end_date" DATETIME NOT NULL,
    "duration" INTEGER NOT NULL,
    "reschedule_date" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("ti_id") REFERENCES "task_instance" ("id")
);

CREATE TABLE "task_state_store" (
    "id" INTEGER NOT NULL,
    "dag_run_id" INTEGER NOT NULL,
    "task_id" VARCHAR(250) NOT NULL,
    "map_index" INTEGER NOT NULL,
    "key" VARCHAR(512) NOT NULL,
    "dag_id" VARCHAR(250) NOT NULL,
    "run_id" VARCHAR(250) NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" DATETIME NOT NULL,
    "expires_at" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("dag_run_id", "task_id", "map_index", "key"),
    FOREIGN KEY ("dag_run_id") REFERENCES "dag_run" ("id")
);

CREATE TABLE "team" (
    "name" VARCHAR(50) NOT NULL,
    PRIMARY KEY ("name")
);

CREATE TABLE "trigger" (
    "id" INTEGER NOT NULL,
    "classpath" VARCHAR(1000) NOT NULL,
    "kwargs" TEXT NOT NULL,
    "created_date" DATETIME NOT NULL,
    "triggerer_id" INTEGER,
    "queue" VARCHAR(256),
    "team_name" VARCHAR(50),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("team_name") REFERENCES "team" ("name")
);

CREATE TABLE "variable" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(250) NOT NULL,
    "val" TEXT NOT NULL,
    "description" TEXT,
    "is_encrypted" BOOLEAN NOT NULL,
    "team_name" VARCHAR(50),
    PRIMARY KEY ("id"),
    UNIQUE ("key"),
    FOREIGN KEY ("team_name") REFERENCES "team" ("name")
);

CREATE TABLE "xcom" (
    "dag_run_id" INTEGER NOT NULL,
    "task_id" VARCHAR(250) NOT NULL,
    "map_index" INTEGER NOT NULL,
    "key" VARCHAR(512) NOT NULL,
    "dag_result" BOOLEAN,
    "dag_id" VARCHAR(250) NOT NULL,
    "run_id" VARCHAR(250) NOT NULL,
    "value" JSON,
    "timestamp" DATETIME NOT NULL,
    PRIMARY KEY ("dag_run_id", "task_id", "map_index", "key"),
    FOREIGN KEY ("dag_id", "task_id", "run_id", "map_index") REFERENCES "task_instance" ("dag_id", "task_id", "run_id", "map_index")
);
