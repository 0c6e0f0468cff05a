CREATE TABLE "attachments_attachment" (
    "id" INTEGER NOT NULL,
    "attachment_file" VARCHAR(100) NOT NULL,
    "created" DATETIME NOT NULL,
    "modified" DATETIME NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "object_id" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("creator_id") REFERENCES "auth_user" ("id")
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

CREATE TABLE "bugs_bug" (
    "id" INTEGER NOT NULL,
    "summary" VARCHAR(255) NOT NULL,
    "created_at" DATETIME NOT NULL,
    "status" BOOLEAN NOT NULL,
    "assignee_id" INTEGER,
    "build_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "reporter_id" INTEGER NOT NULL,
    "version_id" INTEGER NOT NULL,
    "severity_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assignee_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("build_id") REFERENCES "management_build" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "management_product" ("id"),
    FOREIGN KEY ("reporter_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("severity_id") REFERENCES "bugs_severity" ("id"),
    FOREIGN KEY ("version_id") REFERENCES "management_version" ("id")
);

CREATE TABLE "bugs_bug_executions" (
    "id" INTEGER NOT NULL,
    "bug_id" INTEGER NOT NULL,
    "testexecution_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("bug_id", "testexecution_id"),
    FOREIGN KEY ("bug_id") REFERENCES "bugs_bug" ("id"),
    FOREIGN KEY ("testexecution_id") REFERENCES "testruns_testexecution" ("id")
);

CREATE TABLE "bugs_bug_tags" (
    "id" INTEGER NOT NULL,
    "bug_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("bug_id", "tag_id"),
    FOREIGN KEY ("bug_id") REFERENCES "bugs_bug" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "management_tag" ("id")
);

CREATE TABLE "bugs_severity" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "weight" INTEGER NOT NULL,
    "icon" VARCHAR(64) NOT NULL,
    "color" VARCHAR(18) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "captcha_captchastore" (
    "challenge" VARCHAR(32) NOT NULL,
    "response" VARCHAR(32) NOT NULL,
    "hashkey" VARCHAR(40) NOT NULL,
    "expiration" DATETIME NOT NULL,
    "id" INTEGER NOT NULL,
    PRIMARY KEY ("id")
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

CREATE TABLE "django_comment_flags" (
    "id" INTEGER NOT NULL,
    "flag" VARCHAR(30) NOT NULL,
    "flag_date" DATETIME NOT NULL,
    "comment_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "comment_id", "flag"),
    FOREIGN KEY ("comment_id") REFERENCES "django_comments" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "django_comments" (
    "id" INTEGER NOT NULL,
    "user_name" VARCHAR(50) NOT NULL,
    "user_email" VARCHAR(254) NOT NULL,
    "user_url" VARCHAR(200) NOT NULL,
    "comment" TEXT NOT NULL,
    "submit_date" DATETIME NOT NULL,
    "ip_address" VARCHAR(39),
    "is_public" BOOLEAN NOT NULL,
    "is_removed" BOOLEAN NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "site_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "object_pk" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("site_id") REFERENCES "django_site" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
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

CREATE TABLE "django_site" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(50) NOT NULL,
    "domain" VARCHAR(100) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "guardian_groupobjectpermission" (
    "id" INTEGER NOT NULL,
    "object_pk" VARCHAR(255) NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("group_id", "permission_id", "object_pk"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("group_id") REFERENCES "auth_group" ("id"),
    FOREIGN KEY ("permission_id") REFERENCES "auth_permission" ("id")
);

CREATE TABLE "guardian_userobjectpermission" (
    "id" INTEGER NOT NULL,
    "object_pk" VARCHAR(255) NOT NULL,
    "content_type_id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "permission_id", "object_pk"),
    FOREIGN KEY ("content_type_id") REFERENCES "django_content_type" ("id"),
    FOREIGN KEY ("permission_id") REFERENCES "auth_permission" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "kiwi_auth_useractivationkey" (
    "id" INTEGER NOT NULL,
    "activation_key" VARCHAR(64),
    "key_expires" DATETIME,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "linkreference_linkreference" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "created_on" DATETIME NOT NULL,
    "execution_id" INTEGER NOT NULL,
    "is_defect" BOOLEAN NOT NULL,
    "url" VARCHAR(200) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("execution_id") REFERENCES "testruns_testexecution" ("id")
);

CREATE TABLE "management_build" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "version_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("version_id", "name"),
    FOREIGN KEY ("version_id") REFERENCES "management_version" ("id")
);

CREATE TABLE "management_classification" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "management_component" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "description" TEXT NOT NULL,
    "initial_owner_id" INTEGER,
    "product_id" INTEGER NOT NULL,
    "initial_qa_contact_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("product_id", "name"),
    FOREIGN KEY ("initial_owner_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("initial_qa_contact_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "management_product" ("id")
);

CREATE TABLE "management_priority" (
    "id" INTEGER NOT NULL,
    "value" VARCHAR(64) NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "management_product" (
    "id" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "classification_id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("classification_id") REFERENCES "management_classification" ("id")
);

CREATE TABLE "management_tag" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "management_version" (
    "id" INTEGER NOT NULL,
    "value" VARCHAR(192) NOT NULL,
    "product_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("product_id", "value"),
    FOREIGN KEY ("product_id") REFERENCES "management_product" ("id")
);

CREATE TABLE "testcases_bugsystem" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "api_url" VARCHAR(1024),
    "api_password" VARCHAR(256),
    "api_username" VARCHAR(256),
    "tracker_type" VARCHAR(128) NOT NULL,
    "base_url" VARCHAR(1024),
    PRIMARY KEY ("id")
);

CREATE TABLE "testcases_category" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT NOT NULL,
    "product_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("product_id", "name"),
    FOREIGN KEY ("product_id") REFERENCES "management_product" ("id")
);

CREATE TABLE "testcases_historicaltemplate" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "text" TEXT NOT NULL,
    "history_id" INTEGER NOT NULL,
    "history_change_reason" TEXT,
    "history_type" VARCHAR(1) NOT NULL,
    "history_user_id" INTEGER,
    "history_date" DATETIME NOT NULL,
    PRIMARY KEY ("history_id"),
    FOREIGN KEY ("history_user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "testcases_historicaltestcase" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME NOT NULL,
    "script" TEXT,
    "arguments" TEXT,
    "extra_link" VARCHAR(1024),
    "summary" VARCHAR(255) NOT NULL,
    "requirement" VARCHAR(255),
    "notes" TEXT,
    "history_id" INTEGER NOT NULL,
    "history_change_reason" TEXT,
    "history_type" VARCHAR(1) NOT NULL,
    "author_id" INTEGER,
    "case_status_id" INTEGER,
    "category_id" INTEGER,
    "default_tester_id" INTEGER,
    "history_user_id" INTEGER,
    "priority_id" INTEGER,
    "reviewer_id" INTEGER,
    "text" TEXT NOT NULL,
    "is_automated" BOOLEAN NOT NULL,
    "setup_duration" BIGINT,
    "testing_duration" BIGINT,
    "history_date" DATETIME NOT NULL,
    PRIMARY KEY ("history_id"),
    FOREIGN KEY ("history_user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "testcases_property" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "value" VARCHAR(255) NOT NULL,
    "case_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("case_id") REFERENCES "testcases_testcase" ("id")
);

CREATE TABLE "testcases_template" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "text" TEXT NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "testcases_testcase" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME NOT NULL,
    "script" TEXT,
    "arguments" TEXT,
    "extra_link" VARCHAR(1024),
    "requirement" VARCHAR(255),
    "notes" TEXT,
    "author_id" INTEGER NOT NULL,
    "case_status_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    "default_tester_id" INTEGER,
    "priority_id" INTEGER NOT NULL,
    "reviewer_id" INTEGER,
    "text" TEXT NOT NULL,
    "is_automated" BOOLEAN NOT NULL,
    "summary" VARCHAR(255) NOT NULL,
    "setup_duration" BIGINT,
    "testing_duration" BIGINT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("author_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("case_status_id") REFERENCES "testcases_testcasestatus" ("id"),
    FOREIGN KEY ("category_id") REFERENCES "testcases_category" ("id"),
    FOREIGN KEY ("default_tester_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("priority_id") REFERENCES "management_priority" ("id"),
    FOREIGN KEY ("reviewer_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "testcases_testcasecomponent" (
    "id" INTEGER NOT NULL,
    "case_id" INTEGER NOT NULL,
    "component_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("case_id") REFERENCES "testcases_testcase" ("id"),
    FOREIGN KEY ("component_id") REFERENCES "management_component" ("id")
);

CREATE TABLE "testcases_testcaseemailsettings" (
    "id" INTEGER NOT NULL,
    "notify_on_case_delete" BOOLEAN NOT NULL,
    "auto_to_case_author" BOOLEAN NOT NULL,
    "auto_to_case_tester" BOOLEAN NOT NULL,
    "auto_to_run_manager" BOOLEAN NOT NULL,
    "auto_to_run_tester" BOOLEAN NOT NULL,
    "auto_to_execution_assignee" BOOLEAN NOT NULL,
    "case_id" INTEGER NOT NULL,
    "cc_list" TEXT NOT NULL,
    "notify_on_case_update" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("case_id") REFERENCES "testcases_testcase" ("id")
);

CREATE TABLE "testcases_testcaseplan" (
    "id" INTEGER NOT NULL,
    "sortkey" INTEGER,
    "case_id" INTEGER NOT NULL,
    "plan_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("plan_id", "case_id"),
    FOREIGN KEY ("case_id") REFERENCES "testcases_testcase" ("id"),
    FOREIGN KEY ("plan_id") REFERENCES "testplans_testplan" ("id")
);

CREATE TABLE "testcases_testcasestatus" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT,
    "is_confirmed" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "testcases_testcasetag" (
    "id" INTEGER NOT NULL,
    "case_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("case_id") REFERENCES "testcases_testcase" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "management_tag" ("id")
);

CREATE TABLE "testplans_historicaltestplan" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "create_date" DATETIME NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "extra_link" VARCHAR(1024),
    "history_id" INTEGER NOT NULL,
    "history_change_reason" TEXT,
    "history_type" VARCHAR(1) NOT NULL,
    "author_id" INTEGER,
    "history_user_id" INTEGER,
    "parent_id" INTEGER,
    "product_id" INTEGER,
    "product_version_id" INTEGER,
    "type_id" INTEGER,
    "text" TEXT NOT NULL,
    "history_date" DATETIME NOT NULL,
    PRIMARY KEY ("history_id"),
    FOREIGN KEY ("history_user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "testplans_plantype" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "description" TEXT,
    PRIMARY KEY ("id")
);

CREATE TABLE "testplans_testplan" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "text" TEXT NOT NULL,
    "create_date" DATETIME NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "extra_link" VARCHAR(1024),
    "author_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "product_version_id" INTEGER NOT NULL,
    "type_id" INTEGER NOT NULL,
    "parent_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("author_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "testplans_testplan" ("id"),
    FOREIGN KEY ("product_id") REFERENCES "management_product" ("id"),
    FOREIGN KEY ("product_version_id") REFERENCES "management_version" ("id"),
    FOREIGN KEY ("type_id") REFERENCES "testplans_plantype" ("id")
);

CREATE TABLE "testplans_testplanemailsettings" (
    "id" INTEGER NOT NULL,
    "auto_to_plan_author" BOOLEAN NOT NULL,
    "auto_to_case_owner" BOOLEAN NOT NULL,
    "auto_to_case_default_tester" BOOLEAN NOT NULL,
    "notify_on_case_update" BOOLEAN NOT NULL,
    "plan_id" INTEGER NOT NULL,
    "notify_on_plan_update" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("plan_id") REFERENCES "testplans_testplan" ("id")
);

CREATE TABLE "testplans_testplantag" (
    "id" INTEGER NOT NULL,
    "plan_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("plan_id") REFERENCES "testplans_testplan" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "management_tag" ("id")
);

CREATE TABLE "testruns_environment" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "description" TEXT NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "testruns_environmentproperty" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "value" VARCHAR(255) NOT NULL,
    "environment_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("environment_id") REFERENCES "testruns_environment" ("id")
);

CREATE TABLE "testruns_historicaltestexecution" (
    "id" INTEGER NOT NULL,
    "case_text_version" INTEGER NOT NULL,
    "sortkey" INTEGER,
    "history_id" INTEGER NOT NULL,
    "history_change_reason" TEXT,
    "history_type" VARCHAR(1) NOT NULL,
    "assignee_id" INTEGER,
    "build_id" INTEGER,
    "case_id" INTEGER,
    "history_user_id" INTEGER,
    "run_id" INTEGER,
    "tested_by_id" INTEGER,
    "status_id" INTEGER,
    "stop_date" DATETIME,
    "start_date" DATETIME,
    "history_date" DATETIME NOT NULL,
    PRIMARY KEY ("history_id"),
    FOREIGN KEY ("history_user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "testruns_historicaltestrun" (
    "id" INTEGER NOT NULL,
    "start_date" DATETIME,
    "stop_date" DATETIME,
    "summary" TEXT NOT NULL,
    "notes" TEXT NOT NULL,
    "history_id" INTEGER NOT NULL,
    "history_change_reason" TEXT,
    "history_type" VARCHAR(1) NOT NULL,
    "build_id" INTEGER,
    "default_tester_id" INTEGER,
    "history_user_id" INTEGER,
    "manager_id" INTEGER,
    "plan_id" INTEGER,
    "planned_start" DATETIME,
    "planned_stop" DATETIME,
    "history_date" DATETIME NOT NULL,
    PRIMARY KEY ("history_id"),
    FOREIGN KEY ("history_user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "testruns_property" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "value" VARCHAR(255) NOT NULL,
    "run_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("run_id") REFERENCES "testruns_testrun" ("id")
);

CREATE TABLE "testruns_testexecution" (
    "id" INTEGER NOT NULL,
    "case_text_version" INTEGER NOT NULL,
    "sortkey" INTEGER,
    "assignee_id" INTEGER,
    "build_id" INTEGER NOT NULL,
    "case_id" INTEGER NOT NULL,
    "run_id" INTEGER NOT NULL,
    "tested_by_id" INTEGER,
    "status_id" INTEGER NOT NULL,
    "stop_date" DATETIME,
    "start_date" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assignee_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("build_id") REFERENCES "management_build" ("id"),
    FOREIGN KEY ("case_id") REFERENCES "testcases_testcase" ("id"),
    FOREIGN KEY ("run_id") REFERENCES "testruns_testrun" ("id"),
    FOREIGN KEY ("status_id") REFERENCES "testruns_testexecutionstatus" ("id"),
    FOREIGN KEY ("tested_by_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "testruns_testexecutionproperty" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "value" VARCHAR(255) NOT NULL,
    "execution_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("execution_id") REFERENCES "testruns_testexecution" ("id")
);

CREATE TABLE "testruns_testexecutionstatus" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR(60) NOT NULL,
    "icon" VARCHAR(64) NOT NULL,
    "color" VARCHAR(18) NOT NULL,
    "weight" INTEGER NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "testruns_testrun" (
    "id" INTEGER NOT NULL,
    "stop_date" DATETIME,
    "summary" TEXT NOT NULL,
    "notes" TEXT NOT NULL,
    "build_id" INTEGER NOT NULL,
    "default_tester_id" INTEGER,
    "manager_id" INTEGER NOT NULL,
    "plan_id" INTEGER NOT NULL,
    "planned_start" DATETIME,
    "planned_stop" DATETIME,
    "start_date" DATETIME,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("build_id") REFERENCES "management_build" ("id"),
    FOREIGN KEY ("default_tester_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("manager_id") REFERENCES "auth_user" ("id"),
    FOREIGN KEY ("plan_id") REFERENCES "testplans_testplan" ("id")
);

CREATE TABLE "testruns_testruncc" (
    "id" INTEGER NOT NULL,
    "run_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("run_id", "user_id"),
    FOREIGN KEY ("run_id") REFERENCES "testruns_testrun" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "auth_user" ("id")
);

CREATE TABLE "testruns_testruntag" (
    "id" INTEGER NOT NULL,
    "run_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("run_id") REFERENCES "testruns_testrun" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "management_tag" ("id")
);
