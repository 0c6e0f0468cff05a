CREATE TABLE "analytics_localnotification" (
    "id" INTEGER NOT NULL,
    "key" VARCHAR(50) NOT NULL,
    "created_at" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("key")
);

CREATE TABLE "analytics_pingbacknotification" (
    "id" VARCHAR(50) NOT NULL,
    "version_range" VARCHAR(50) NOT NULL,
    "timestamp" DATE NOT NULL,
    "link_url" VARCHAR(150) NOT NULL,
    "i18n" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "source" VARCHAR(20) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "analytics_pingbacknotificationdismissed" (
    "id" INTEGER NOT NULL,
    "notification_id" VARCHAR(50) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "notification_id"),
    FOREIGN KEY ("notification_id") REFERENCES "analytics_pingbacknotification" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "attendance_attendancerecord" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "present" BOOLEAN NOT NULL,
    "attendance_session_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("attendance_session_id", "user_id"),
    FOREIGN KEY ("attendance_session_id") REFERENCES "attendance_attendancesession" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "attendance_attendancesession" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "session_start_datetime" VARCHAR NOT NULL,
    "date_created" VARCHAR NOT NULL,
    "date_modified" VARCHAR NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "created_by_id" CHAR(32),
    "dataset_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("created_by_id") REFERENCES "kolibriauth_facilityuser" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id")
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

CREATE TABLE "bookmarks_bookmark" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "content_id" CHAR(32),
    "channel_id" CHAR(32),
    "contentnode_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "created" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "contentnode_id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "content_assessmentmetadata" (
    "id" CHAR(32) NOT NULL,
    "assessment_item_ids" TEXT NOT NULL,
    "number_of_assessments" INTEGER NOT NULL,
    "mastery_model" TEXT NOT NULL,
    "randomize" BOOLEAN NOT NULL,
    "is_manipulable" BOOLEAN NOT NULL,
    "contentnode_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("contentnode_id") REFERENCES "content_contentnode" ("id")
);

CREATE TABLE "content_channelmetadata" (
    "id" CHAR(32) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "description" VARCHAR(400) NOT NULL,
    "author" VARCHAR(400) NOT NULL,
    "version" INTEGER NOT NULL,
    "thumbnail" TEXT NOT NULL,
    "last_updated" VARCHAR,
    "min_schema_version" VARCHAR(50) NOT NULL,
    "root_id" CHAR(32) NOT NULL,
    "published_size" BIGINT,
    "total_resource_count" INTEGER,
    "order" INTEGER,
    "public" BOOLEAN,
    "tagline" VARCHAR(150),
    "partial" BOOLEAN,
    "included_categories" TEXT,
    "included_grade_levels" TEXT,
    "library" VARCHAR(50),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("root_id") REFERENCES "content_contentnode" ("id")
);

CREATE TABLE "content_channelmetadata_included_languages" (
    "id" INTEGER NOT NULL,
    "sort_value" INTEGER NOT NULL,
    "channelmetadata_id" CHAR(32) NOT NULL,
    "language_id" VARCHAR(14) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("channelmetadata_id", "language_id"),
    FOREIGN KEY ("channelmetadata_id") REFERENCES "content_channelmetadata" ("id"),
    FOREIGN KEY ("language_id") REFERENCES "content_language" ("id")
);

CREATE TABLE "content_contentnode" (
    "id" CHAR(32) NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "content_id" CHAR(32) NOT NULL,
    "channel_id" CHAR(32) NOT NULL,
    "description" TEXT,
    "sort_order" DOUBLE,
    "license_owner" VARCHAR(200) NOT NULL,
    "author" VARCHAR(200) NOT NULL,
    "kind" VARCHAR(200) NOT NULL,
    "available" BOOLEAN NOT NULL,
    "lft" INTEGER NOT NULL,
    "rght" INTEGER NOT NULL,
    "tree_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "lang_id" VARCHAR(14),
    "parent_id" CHAR(32),
    "license_description" TEXT,
    "license_name" VARCHAR(50),
    "coach_content" BOOLEAN NOT NULL,
    "num_coach_contents" INTEGER,
    "on_device_resources" INTEGER,
    "options" TEXT,
    "accessibility_labels" TEXT,
    "categories" TEXT,
    "duration" INTEGER,
    "grade_levels" TEXT,
    "learner_needs" TEXT,
    "learning_activities" TEXT,
    "resource_types" TEXT,
    "accessibility_labels_bitmask_0" BIGINT,
    "categories_bitmask_0" BIGINT,
    "grade_levels_bitmask_0" BIGINT,
    "learner_needs_bitmask_0" BIGINT,
    "learning_activities_bitmask_0" BIGINT,
    "ancestors" TEXT,
    "admin_imported" BOOLEAN,
    "modality" VARCHAR(50),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("lang_id") REFERENCES "content_language" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "content_contentnode" ("id")
);

CREATE TABLE "content_contentnode_has_prerequisite" (
    "id" INTEGER NOT NULL,
    "from_contentnode_id" CHAR(32) NOT NULL,
    "to_contentnode_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("from_contentnode_id", "to_contentnode_id"),
    FOREIGN KEY ("from_contentnode_id") REFERENCES "content_contentnode" ("id"),
    FOREIGN KEY ("to_contentnode_id") REFERENCES "content_contentnode" ("id")
);

CREATE TABLE "content_contentnode_related" (
    "id" INTEGER NOT NULL,
    "from_contentnode_id" CHAR(32) NOT NULL,
    "to_contentnode_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("from_contentnode_id", "to_contentnode_id"),
    FOREIGN KEY ("from_contentnode_id") REFERENCES "content_contentnode" ("id"),
    FOREIGN KEY ("to_contentnode_id") REFERENCES "content_contentnode" ("id")
);

CREATE TABLE "content_contentnode_tags" (
    "id" INTEGER NOT NULL,
    "contentnode_id" CHAR(32) NOT NULL,
    "contenttag_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("contentnode_id", "contenttag_id"),
    FOREIGN KEY ("contentnode_id") REFERENCES "content_contentnode" ("id"),
    FOREIGN KEY ("contenttag_id") REFERENCES "content_contenttag" ("id")
);

CREATE TABLE "content_contentrequest" (
    "id" CHAR(32) NOT NULL,
    "source_model" VARCHAR(40) NOT NULL,
    "source_id" CHAR(32) NOT NULL,
    "requested_at" VARCHAR NOT NULL,
    "type" VARCHAR(8) NOT NULL,
    "reason" VARCHAR(14) NOT NULL,
    "status" VARCHAR(11) NOT NULL,
    "contentnode_id" CHAR(32) NOT NULL,
    "metadata" TEXT,
    "facility_id" CHAR(32) NOT NULL,
    "source_instance_id" CHAR(32),
    "priority" INTEGER,
    "channel_version" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("type", "source_model", "source_id", "contentnode_id", "channel_version"),
    FOREIGN KEY ("facility_id") REFERENCES "kolibriauth_collection" ("id")
);

CREATE TABLE "content_contenttag" (
    "id" CHAR(32) NOT NULL,
    "tag_name" VARCHAR(30) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "content_file" (
    "id" CHAR(32) NOT NULL,
    "preset" VARCHAR(150) NOT NULL,
    "supplementary" BOOLEAN NOT NULL,
    "thumbnail" BOOLEAN NOT NULL,
    "priority" INTEGER,
    "contentnode_id" CHAR(32) NOT NULL,
    "lang_id" VARCHAR(14),
    "local_file_id" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("contentnode_id") REFERENCES "content_contentnode" ("id"),
    FOREIGN KEY ("lang_id") REFERENCES "content_language" ("id"),
    FOREIGN KEY ("local_file_id") REFERENCES "content_localfile" ("id")
);

CREATE TABLE "content_language" (
    "id" VARCHAR(14) NOT NULL,
    "lang_code" VARCHAR(3) NOT NULL,
    "lang_subcode" VARCHAR(10),
    "lang_name" VARCHAR(100),
    "lang_direction" VARCHAR(3) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "content_localfile" (
    "id" VARCHAR(32) NOT NULL,
    "extension" VARCHAR(40) NOT NULL,
    "available" BOOLEAN NOT NULL,
    "file_size" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "courses_coursesession" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "course" CHAR(32) NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "description" TEXT,
    "is_active" BOOLEAN NOT NULL,
    "date_created" VARCHAR NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "created_by_id" CHAR(32),
    "dataset_id" CHAR(32) NOT NULL,
    "channel_version" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("created_by_id") REFERENCES "kolibriauth_facilityuser" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id")
);

CREATE TABLE "courses_coursesessionassignment" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "assigned_by_id" CHAR(32),
    "collection_id" CHAR(32) NOT NULL,
    "course_session_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assigned_by_id") REFERENCES "kolibriauth_facilityuser" ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("course_session_id") REFERENCES "courses_coursesession" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id")
);

CREATE TABLE "courses_unittestassignment" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "unit_contentnode_id" CHAR(32) NOT NULL,
    "test_type" VARCHAR(10) NOT NULL,
    "activated_by_id" CHAR(32),
    "collection_id" CHAR(32) NOT NULL,
    "course_session_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "closed" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("activated_by_id") REFERENCES "kolibriauth_facilityuser" ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("course_session_id") REFERENCES "courses_coursesession" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id")
);

CREATE TABLE "device_contentcachekey" (
    "id" INTEGER NOT NULL,
    "key" INTEGER NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "device_deviceappkey" (
    "id" INTEGER NOT NULL,
    "key" CHAR(32) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "device_devicepermissions" (
    "user_id" CHAR(32) NOT NULL,
    "is_superuser" BOOLEAN NOT NULL,
    "can_manage_content" BOOLEAN NOT NULL,
    PRIMARY KEY ("user_id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "device_devicesettings" (
    "id" INTEGER NOT NULL,
    "is_provisioned" BOOLEAN NOT NULL,
    "language_id" VARCHAR(15),
    "default_facility_id" CHAR(32),
    "allow_guest_access" BOOLEAN NOT NULL,
    "allow_learner_unassigned_resource_access" BOOLEAN NOT NULL,
    "allow_peer_unlisted_channel_import" BOOLEAN NOT NULL,
    "landing_page" VARCHAR(7) NOT NULL,
    "name" VARCHAR(50) NOT NULL,
    "allow_other_browsers_to_connect" BOOLEAN NOT NULL,
    "subset_of_users_device" BOOLEAN NOT NULL,
    "extra_settings" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("default_facility_id") REFERENCES "kolibriauth_collection" ("id")
);

CREATE TABLE "device_learnerdevicestatus" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "instance_id" CHAR(32) NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    "status" VARCHAR(32) NOT NULL,
    "status_sentiment" INTEGER NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("instance_id", "user_id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "device_osuser" (
    "user_id" CHAR(32) NOT NULL,
    "os_username" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("user_id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "device_sqlitelock" (
    "id" INTEGER NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "device_syncqueue" (
    "id" CHAR(32) NOT NULL,
    "datetime" DATETIME NOT NULL,
    "updated" DOUBLE NOT NULL,
    "keep_alive" DOUBLE NOT NULL,
    "instance_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "last_sync" DOUBLE,
    "status" VARCHAR(20) NOT NULL,
    "sync_session_id" CHAR(32),
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "instance_id")
);

CREATE TABLE "device_usersyncstatus" (
    "id" INTEGER NOT NULL,
    "sync_session_id" CHAR(32),
    "user_id" CHAR(32) NOT NULL,
    "status" VARCHAR(20) NOT NULL,
    "updated" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id"),
    FOREIGN KEY ("sync_session_id") REFERENCES "morango_syncsession" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "discovery_networklocation" (
    "id" VARCHAR(36) NOT NULL,
    "base_url" VARCHAR(100) NOT NULL,
    "application" VARCHAR(32) NOT NULL,
    "kolibri_version" VARCHAR(100) NOT NULL,
    "instance_id" VARCHAR(32) NOT NULL,
    "device_name" VARCHAR(100) NOT NULL,
    "operating_system" VARCHAR(32) NOT NULL,
    "added" DATETIME NOT NULL,
    "last_accessed" DATETIME NOT NULL,
    "nickname" VARCHAR(100) NOT NULL,
    "subset_of_users_device" BOOLEAN NOT NULL,
    "broadcast_id" VARCHAR(36),
    "connection_faults" INTEGER NOT NULL,
    "connection_status" VARCHAR(32) NOT NULL,
    "last_known_ip" TEXT,
    "min_content_schema_version" VARCHAR(32),
    "is_local" BOOLEAN NOT NULL,
    "location_type" VARCHAR(8) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "discovery_pinneddevice" (
    "id" INTEGER NOT NULL,
    "instance_id" CHAR(32) NOT NULL,
    "created" DATETIME NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "instance_id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
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

CREATE TABLE "exams_draftexam" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "question_count" INTEGER NOT NULL,
    "question_sources" TEXT NOT NULL,
    "seed" INTEGER NOT NULL,
    "learners_see_fixed_order" BOOLEAN NOT NULL,
    "data_model_version" SMALLINT NOT NULL,
    "date_created" DATETIME,
    "assignments" TEXT NOT NULL,
    "learner_ids" TEXT NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "creator_id" CHAR(32),
    "instant_report_visibility" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("creator_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "exams_exam" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "question_count" INTEGER NOT NULL,
    "question_sources" TEXT NOT NULL,
    "seed" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL,
    "archive" BOOLEAN NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "creator_id" CHAR(32),
    "dataset_id" CHAR(32) NOT NULL,
    "data_model_version" SMALLINT NOT NULL,
    "learners_see_fixed_order" BOOLEAN NOT NULL,
    "date_created" DATETIME NOT NULL,
    "date_archived" DATETIME,
    "date_activated" DATETIME,
    "instant_report_visibility" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("creator_id") REFERENCES "kolibriauth_facilityuser" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id")
);

CREATE TABLE "exams_examassignment" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "assigned_by_id" CHAR(32),
    "collection_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "exam_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assigned_by_id") REFERENCES "kolibriauth_facilityuser" ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("exam_id") REFERENCES "exams_exam" ("id")
);

CREATE TABLE "exams_individualsyncableexam" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "exam_id" CHAR(32) NOT NULL,
    "serialized_exam" TEXT NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "jobs" (
    "id" VARCHAR(36) NOT NULL,
    "state" VARCHAR(20) NOT NULL,
    "func" VARCHAR(200) NOT NULL,
    "priority" INTEGER NOT NULL,
    "queue" VARCHAR(50) NOT NULL,
    "saved_job" TEXT NOT NULL,
    "time_created" DATETIME,
    "time_updated" DATETIME,
    "interval" INTEGER NOT NULL,
    "retry_interval" INTEGER,
    "repeat" INTEGER,
    "scheduled_time" DATETIME,
    "worker_host" VARCHAR(100),
    "worker_process" VARCHAR(50),
    "worker_thread" VARCHAR(50),
    "worker_extra" TEXT,
    "max_retries" INTEGER,
    "retries" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "kolibriauth_collection" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "kind" VARCHAR(20) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "parent_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "kolibriauth_collection" ("id")
);

CREATE TABLE "kolibriauth_facilitydataset" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "description" TEXT NOT NULL,
    "location" VARCHAR(200) NOT NULL,
    "learner_can_edit_username" BOOLEAN NOT NULL,
    "learner_can_edit_name" BOOLEAN NOT NULL,
    "learner_can_edit_password" BOOLEAN NOT NULL,
    "learner_can_sign_up" BOOLEAN NOT NULL,
    "learner_can_delete_account" BOOLEAN NOT NULL,
    "learner_can_login_with_no_password" BOOLEAN NOT NULL,
    "preset" VARCHAR(50) NOT NULL,
    "show_download_button_in_learn" BOOLEAN NOT NULL,
    "registered" BOOLEAN NOT NULL,
    "extra_fields" TEXT,
    "enable_mark_attendance" BOOLEAN NOT NULL,
    "picture_password_settings" TEXT,
    PRIMARY KEY ("id")
);

CREATE TABLE "kolibriauth_facilityuser" (
    "password" VARCHAR(128) NOT NULL,
    "last_login" DATETIME,
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "username" VARCHAR(254) NOT NULL,
    "full_name" VARCHAR(120) NOT NULL,
    "date_joined" VARCHAR NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "facility_id" CHAR(32) NOT NULL,
    "birth_year" VARCHAR(16) NOT NULL,
    "gender" VARCHAR(16) NOT NULL,
    "id_number" VARCHAR(64) NOT NULL,
    "extra_demographics" TEXT,
    "date_deleted" VARCHAR,
    "picture_password" VARCHAR(8),
    PRIMARY KEY ("id"),
    UNIQUE ("dataset_id", "picture_password"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("facility_id") REFERENCES "kolibriauth_collection" ("id")
);

CREATE TABLE "kolibriauth_membership" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "collection_id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "kolibriauth_role" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "kind" VARCHAR(26) NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "collection_id", "kind"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "kolibriauth_session" (
    "session_key" VARCHAR(40) NOT NULL,
    "session_data" TEXT NOT NULL,
    "expire_date" DATETIME NOT NULL,
    "user_id" CHAR(32),
    PRIMARY KEY ("session_key")
);

CREATE TABLE "lessons_individualsyncablelesson" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "lesson_id" CHAR(32) NOT NULL,
    "serialized_lesson" TEXT NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "lessons_lesson" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "title" VARCHAR(50) NOT NULL,
    "description" VARCHAR(200) NOT NULL,
    "resources" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "collection_id" CHAR(32) NOT NULL,
    "created_by_id" CHAR(32),
    "dataset_id" CHAR(32) NOT NULL,
    "date_created" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("created_by_id") REFERENCES "kolibriauth_facilityuser" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id")
);

CREATE TABLE "lessons_lessonassignment" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "assigned_by_id" CHAR(32),
    "collection_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "lesson_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assigned_by_id") REFERENCES "kolibriauth_facilityuser" ("id"),
    FOREIGN KEY ("collection_id") REFERENCES "kolibriauth_collection" ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("lesson_id") REFERENCES "lessons_lesson" ("id")
);

CREATE TABLE "logger_attemptlog" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "item" VARCHAR(200) NOT NULL,
    "start_timestamp" VARCHAR NOT NULL,
    "end_timestamp" VARCHAR NOT NULL,
    "completion_timestamp" VARCHAR,
    "time_spent" DOUBLE NOT NULL,
    "complete" BOOLEAN NOT NULL,
    "correct" DOUBLE NOT NULL,
    "hinted" BOOLEAN NOT NULL,
    "answer" TEXT,
    "simple_answer" VARCHAR(200) NOT NULL,
    "interaction_history" TEXT NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "masterylog_id" CHAR(32),
    "sessionlog_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32),
    "error" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("masterylog_id") REFERENCES "logger_masterylog" ("id"),
    FOREIGN KEY ("sessionlog_id") REFERENCES "logger_contentsessionlog" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "logger_contentsessionlog" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "content_id" CHAR(32) NOT NULL,
    "channel_id" CHAR(32),
    "start_timestamp" VARCHAR NOT NULL,
    "end_timestamp" VARCHAR,
    "time_spent" DOUBLE NOT NULL,
    "progress" DOUBLE NOT NULL,
    "kind" VARCHAR(200) NOT NULL,
    "extra_fields" TEXT NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32),
    "visitor_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "logger_contentsummarylog" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "content_id" CHAR(32) NOT NULL,
    "channel_id" CHAR(32),
    "start_timestamp" VARCHAR NOT NULL,
    "end_timestamp" VARCHAR,
    "completion_timestamp" VARCHAR,
    "time_spent" DOUBLE NOT NULL,
    "progress" DOUBLE NOT NULL,
    "kind" VARCHAR(200) NOT NULL,
    "extra_fields" TEXT NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "logger_examattemptlog" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "item" VARCHAR(200) NOT NULL,
    "start_timestamp" VARCHAR NOT NULL,
    "end_timestamp" VARCHAR NOT NULL,
    "completion_timestamp" VARCHAR,
    "time_spent" DOUBLE NOT NULL,
    "complete" BOOLEAN NOT NULL,
    "correct" DOUBLE NOT NULL,
    "hinted" BOOLEAN NOT NULL,
    "answer" TEXT,
    "simple_answer" VARCHAR(200) NOT NULL,
    "interaction_history" TEXT NOT NULL,
    "content_id" CHAR(32) NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "examlog_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32),
    "error" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("examlog_id") REFERENCES "logger_examlog" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "logger_examlog" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "closed" BOOLEAN NOT NULL,
    "completion_timestamp" VARCHAR,
    "dataset_id" CHAR(32) NOT NULL,
    "exam_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("exam_id") REFERENCES "exams_exam" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "logger_generatecsvlogrequest" (
    "id" INTEGER NOT NULL,
    "selected_start_date" VARCHAR,
    "selected_end_date" VARCHAR,
    "date_requested" VARCHAR NOT NULL,
    "log_type" VARCHAR(7) NOT NULL,
    "facility_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("facility_id") REFERENCES "kolibriauth_collection" ("id")
);

CREATE TABLE "logger_masterylog" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "mastery_criterion" TEXT NOT NULL,
    "start_timestamp" VARCHAR NOT NULL,
    "end_timestamp" VARCHAR,
    "completion_timestamp" VARCHAR,
    "mastery_level" INTEGER NOT NULL,
    "complete" BOOLEAN NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "summarylog_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "time_spent" DOUBLE,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("summarylog_id") REFERENCES "logger_contentsummarylog" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "logger_usersessionlog" (
    "id" CHAR(32) NOT NULL,
    "_morango_dirty_bit" BOOLEAN NOT NULL,
    "_morango_source_id" VARCHAR(96) NOT NULL,
    "_morango_partition" VARCHAR(128) NOT NULL,
    "channels" TEXT NOT NULL,
    "start_timestamp" VARCHAR NOT NULL,
    "last_interaction_timestamp" VARCHAR,
    "pages" TEXT NOT NULL,
    "dataset_id" CHAR(32) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "device_info" VARCHAR(100),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dataset_id") REFERENCES "kolibriauth_facilitydataset" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "kolibriauth_facilityuser" ("id")
);

CREATE TABLE "morango_buffer" (
    "id" INTEGER NOT NULL,
    "serialized" TEXT NOT NULL,
    "deleted" BOOLEAN NOT NULL,
    "last_saved_instance" CHAR(32) NOT NULL,
    "last_saved_counter" INTEGER NOT NULL,
    "model_name" VARCHAR(40) NOT NULL,
    "profile" VARCHAR(40) NOT NULL,
    "partition" TEXT NOT NULL,
    "model_uuid" CHAR(32) NOT NULL,
    "transfer_session_id" CHAR(32) NOT NULL,
    "conflicting_serialized_data" TEXT NOT NULL,
    "_self_ref_fk" VARCHAR(32) NOT NULL,
    "source_id" VARCHAR(96) NOT NULL,
    "hard_deleted" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("transfer_session_id", "model_uuid"),
    FOREIGN KEY ("transfer_session_id") REFERENCES "morango_transfersession" ("id")
);

CREATE TABLE "morango_certificate" (
    "id" CHAR(32) NOT NULL,
    "profile" VARCHAR(20) NOT NULL,
    "scope_version" INTEGER NOT NULL,
    "scope_params" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "serialized" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "private_key" TEXT,
    "lft" INTEGER NOT NULL,
    "rght" INTEGER NOT NULL,
    "tree_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "parent_id" CHAR(32),
    "scope_definition_id" VARCHAR(20) NOT NULL,
    "salt" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "morango_certificate" ("id"),
    FOREIGN KEY ("scope_definition_id") REFERENCES "morango_scopedefinition" ("id")
);

CREATE TABLE "morango_databaseidmodel" (
    "id" CHAR(32) NOT NULL,
    "current" BOOLEAN NOT NULL,
    "date_generated" DATETIME NOT NULL,
    "initial_instance_id" VARCHAR(32) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "morango_databasemaxcounter" (
    "id" INTEGER NOT NULL,
    "instance_id" CHAR(32) NOT NULL,
    "counter" INTEGER NOT NULL,
    "partition" VARCHAR(128) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("instance_id", "partition")
);

CREATE TABLE "morango_deletedmodels" (
    "id" CHAR(32) NOT NULL,
    "profile" VARCHAR(40) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "morango_harddeletedmodels" (
    "id" CHAR(32) NOT NULL,
    "profile" VARCHAR(40) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "morango_instanceidmodel" (
    "id" CHAR(32) NOT NULL,
    "platform" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "sysversion" TEXT NOT NULL,
    "node_id" VARCHAR(20) NOT NULL,
    "counter" INTEGER NOT NULL,
    "current" BOOLEAN NOT NULL,
    "db_path" VARCHAR(1000) NOT NULL,
    "database_id" CHAR(32) NOT NULL,
    "system_id" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("database_id") REFERENCES "morango_databaseidmodel" ("id")
);

CREATE TABLE "morango_nonce" (
    "id" CHAR(32) NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "ip" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "morango_recordmaxcounter" (
    "id" INTEGER NOT NULL,
    "instance_id" CHAR(32) NOT NULL,
    "counter" INTEGER NOT NULL,
    "store_model_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("store_model_id", "instance_id"),
    FOREIGN KEY ("store_model_id") REFERENCES "morango_store" ("id")
);

CREATE TABLE "morango_recordmaxcounterbuffer" (
    "id" INTEGER NOT NULL,
    "instance_id" CHAR(32) NOT NULL,
    "counter" INTEGER NOT NULL,
    "model_uuid" CHAR(32) NOT NULL,
    "transfer_session_id" CHAR(32) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("transfer_session_id") REFERENCES "morango_transfersession" ("id")
);

CREATE TABLE "morango_scopedefinition" (
    "profile" VARCHAR(20) NOT NULL,
    "version" INTEGER NOT NULL,
    "id" VARCHAR(20) NOT NULL,
    "description" TEXT NOT NULL,
    "read_filter_template" TEXT NOT NULL,
    "write_filter_template" TEXT NOT NULL,
    "read_write_filter_template" TEXT NOT NULL,
    "primary_scope_param_key" VARCHAR(20) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "morango_sharedkey" (
    "id" INTEGER NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" TEXT NOT NULL,
    "current" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "morango_store" (
    "serialized" TEXT NOT NULL,
    "deleted" BOOLEAN NOT NULL,
    "last_saved_instance" CHAR(32) NOT NULL,
    "last_saved_counter" INTEGER NOT NULL,
    "model_name" VARCHAR(40) NOT NULL,
    "profile" VARCHAR(40) NOT NULL,
    "partition" TEXT NOT NULL,
    "id" CHAR(32) NOT NULL,
    "conflicting_serialized_data" TEXT NOT NULL,
    "_self_ref_fk" VARCHAR(32) NOT NULL,
    "dirty_bit" BOOLEAN NOT NULL,
    "source_id" VARCHAR(96) NOT NULL,
    "hard_deleted" BOOLEAN NOT NULL,
    "deserialization_error" TEXT,
    "last_transfer_session_id" CHAR(32),
    "deserialization_exception" VARCHAR(255),
    PRIMARY KEY ("id")
);

CREATE TABLE "morango_syncsession" (
    "id" CHAR(32) NOT NULL,
    "start_timestamp" DATETIME NOT NULL,
    "last_activity_timestamp" DATETIME NOT NULL,
    "active" BOOLEAN NOT NULL,
    "connection_kind" VARCHAR(10) NOT NULL,
    "connection_path" VARCHAR(1000) NOT NULL,
    "is_server" BOOLEAN NOT NULL,
    "client_instance_json" TEXT NOT NULL,
    "client_ip" VARCHAR(100) NOT NULL,
    "profile" VARCHAR(40) NOT NULL,
    "server_instance_json" TEXT NOT NULL,
    "server_ip" VARCHAR(100) NOT NULL,
    "client_certificate_id" CHAR(32),
    "server_certificate_id" CHAR(32),
    "extra_fields" TEXT NOT NULL,
    "process_id" INTEGER,
    "client_instance_id" CHAR(32),
    "server_instance_id" CHAR(32),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("client_certificate_id") REFERENCES "morango_certificate" ("id"),
    FOREIGN KEY ("server_certificate_id") REFERENCES "morango_certificate" ("id")
);

CREATE TABLE "morango_transfersession" (
    "id" CHAR(32) NOT NULL,
    "filter" TEXT NOT NULL,
    "push" BOOLEAN NOT NULL,
    "active" BOOLEAN NOT NULL,
    "records_total" INTEGER,
    "sync_session_id" CHAR(32) NOT NULL,
    "last_activity_timestamp" DATETIME NOT NULL,
    "client_fsic" TEXT NOT NULL,
    "records_transferred" INTEGER NOT NULL,
    "server_fsic" TEXT NOT NULL,
    "start_timestamp" DATETIME NOT NULL,
    "bytes_received" BIGINT,
    "bytes_sent" BIGINT,
    "transfer_stage" VARCHAR(20),
    "transfer_stage_status" VARCHAR(20),
    PRIMARY KEY ("id"),
    FOREIGN KEY ("sync_session_id") REFERENCES "morango_syncsession" ("id")
);

CREATE TABLE "notifications_learnerprogressnotification" (
    "id" INTEGER NOT NULL,
    "notification_object" VARCHAR(200) NOT NULL,
    "notification_event" VARCHAR(200) NOT NULL,
    "user_id" CHAR(32) NOT NULL,
    "classroom_id" CHAR(32) NOT NULL,
    "contentnode_id" CHAR(32),
    "lesson_id" CHAR(32),
    "quiz_id" CHAR(32),
    "reason" VARCHAR(200) NOT NULL,
    "timestamp" VARCHAR NOT NULL,
    "quiz_num_correct" INTEGER,
    "quiz_num_answered" INTEGER,
    "assignment_collections" TEXT,
    "course_session_id" CHAR(32),
    PRIMARY KEY ("id")
);

CREATE TABLE "notifications_notificationslog" (
    "id" INTEGER NOT NULL,
    "coach_id" CHAR(32) NOT NULL,
    "timestamp" VARCHAR NOT NULL,
    PRIMARY KEY ("id")
);
