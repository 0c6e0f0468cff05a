CREATE TABLE "attachments" (
    "id" INTEGER NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "description" TEXT NOT NULL,
    "modified_dt" DATETIME NOT NULL,
    "type" SMALLINT NOT NULL,
    "link_url" VARCHAR,
    "title" VARCHAR NOT NULL,
    "protection_mode" SMALLINT NOT NULL,
    "file_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("file_id") REFERENCES "attachments_files" ("id"),
    FOREIGN KEY ("folder_id") REFERENCES "attachments_folders" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "attachments_attachment_principals" (
    "id" INTEGER NOT NULL,
    "attachment_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    "event_role_id" INTEGER,
    "category_role_id" INTEGER,
    "registration_form_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("attachment_id") REFERENCES "attachments" ("id"),
    FOREIGN KEY ("category_role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("event_role_id") REFERENCES "events_roles" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("registration_form_id") REFERENCES "event_registration_forms" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "attachments_files" (
    "id" INTEGER NOT NULL,
    "attachment_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "filename" VARCHAR NOT NULL,
    "content_type" VARCHAR NOT NULL,
    "size" BIGINT NOT NULL,
    "md5" VARCHAR NOT NULL,
    "storage_backend" VARCHAR NOT NULL,
    "storage_file_id" VARCHAR NOT NULL,
    "created_dt" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("attachment_id") REFERENCES "attachments" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "attachments_folder_principals" (
    "id" INTEGER NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    "event_role_id" INTEGER,
    "category_role_id" INTEGER,
    "registration_form_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("event_role_id") REFERENCES "events_roles" ("id"),
    FOREIGN KEY ("folder_id") REFERENCES "attachments_folders" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("registration_form_id") REFERENCES "event_registration_forms" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "attachments_folders" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR,
    "description" TEXT NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "is_default" BOOLEAN NOT NULL,
    "is_always_visible" BOOLEAN NOT NULL,
    "is_hidden" BOOLEAN NOT NULL,
    "link_type" SMALLINT NOT NULL,
    "category_id" INTEGER,
    "event_id" INTEGER,
    "linked_event_id" INTEGER,
    "session_id" INTEGER,
    "contribution_id" INTEGER,
    "subcontribution_id" INTEGER,
    "protection_mode" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("linked_event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "events_sessions" ("id"),
    FOREIGN KEY ("subcontribution_id") REFERENCES "events_subcontributions" ("id")
);

CREATE TABLE "attachments_legacy_attachment_id_map" (
    "material_id" VARCHAR NOT NULL,
    "resource_id" VARCHAR NOT NULL,
    "attachment_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "session_id" VARCHAR,
    "contribution_id" VARCHAR,
    "subcontribution_id" VARCHAR,
    PRIMARY KEY ("attachment_id"),
    FOREIGN KEY ("attachment_id") REFERENCES "attachments" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "attachments_legacy_folder_id_map" (
    "material_id" VARCHAR NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "session_id" VARCHAR,
    "contribution_id" VARCHAR,
    "subcontribution_id" VARCHAR,
    PRIMARY KEY ("folder_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("folder_id") REFERENCES "attachments_folders" ("id")
);

CREATE TABLE "categories" (
    "id" INTEGER NOT NULL,
    "parent_id" INTEGER,
    "is_deleted" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "visibility" INTEGER,
    "icon_metadata" JSON NOT NULL,
    "icon" BLOB,
    "logo_metadata" JSON NOT NULL,
    "logo" BLOB,
    "timezone" VARCHAR NOT NULL,
    "default_event_themes" JSON NOT NULL,
    "event_creation_mode" SMALLINT NOT NULL,
    "event_creation_notification_emails" TEXT NOT NULL,
    "event_message_mode" SMALLINT NOT NULL,
    "event_message" TEXT NOT NULL,
    "suggestions_disabled" BOOLEAN NOT NULL,
    "notify_managers" BOOLEAN NOT NULL,
    "is_flat_view_enabled" BOOLEAN NOT NULL,
    "default_ticket_template_id" INTEGER,
    "default_badge_template_id" INTEGER,
    "title" VARCHAR NOT NULL,
    "description" TEXT NOT NULL,
    "protection_mode" SMALLINT NOT NULL,
    "no_access_contact" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("default_badge_template_id") REFERENCES "indico_designer_templates" ("id"),
    FOREIGN KEY ("default_ticket_template_id") REFERENCES "indico_designer_templates" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "categories" ("id")
);

CREATE TABLE "categories_event_move_requests" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    "requestor_id" INTEGER NOT NULL,
    "state" SMALLINT NOT NULL,
    "requestor_comment" VARCHAR NOT NULL,
    "moderator_comment" VARCHAR NOT NULL,
    "moderator_id" INTEGER,
    "requested_dt" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("moderator_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("requestor_id") REFERENCES "users" ("id")
);

CREATE TABLE "categories_legacy_id_map" (
    "legacy_category_id" VARCHAR NOT NULL,
    "category_id" INTEGER NOT NULL,
    PRIMARY KEY ("legacy_category_id", "category_id"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id")
);

CREATE TABLE "categories_logs" (
    "id" INTEGER NOT NULL,
    "logged_dt" DATETIME NOT NULL,
    "kind" SMALLINT NOT NULL,
    "module" VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    "summary" VARCHAR NOT NULL,
    "data" JSON NOT NULL,
    "meta" JSON NOT NULL,
    "category_id" INTEGER NOT NULL,
    "realm" SMALLINT NOT NULL,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "categories_principals" (
    "read_access" BOOLEAN NOT NULL,
    "full_access" BOOLEAN NOT NULL,
    "permissions" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    "ip_network_group_id" INTEGER,
    "category_role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id"),
    FOREIGN KEY ("category_role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("ip_network_group_id") REFERENCES "indico_ip_network_groups" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "categories_role_members" (
    "role_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("role_id", "user_id"),
    FOREIGN KEY ("role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "categories_roles" (
    "id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "color" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("category_id", "code"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id")
);

CREATE TABLE "categories_settings" (
    "id" INTEGER NOT NULL,
    "module" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "value" JSON NOT NULL,
    "category_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("category_id", "module", "name"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id")
);

CREATE TABLE "event_abstracts_abstract_comments" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "modified_by_id" INTEGER,
    "created_dt" DATETIME NOT NULL,
    "modified_dt" DATETIME,
    "is_deleted" BOOLEAN NOT NULL,
    "abstract_id" INTEGER NOT NULL,
    "visibility" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("modified_by_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_abstracts_abstract_field_values" (
    "data" JSON NOT NULL,
    "abstract_id" INTEGER NOT NULL,
    "contribution_field_id" INTEGER NOT NULL,
    PRIMARY KEY ("abstract_id", "contribution_field_id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("contribution_field_id") REFERENCES "events_contribution_fields" ("id")
);

CREATE TABLE "event_abstracts_abstract_person_links" (
    "abstract_id" INTEGER NOT NULL,
    "is_speaker" BOOLEAN NOT NULL,
    "author_type" SMALLINT NOT NULL,
    "id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "first_name" VARCHAR,
    "last_name" VARCHAR,
    "title" SMALLINT,
    "affiliation_id" INTEGER,
    "affiliation" VARCHAR,
    "address" TEXT,
    "phone" VARCHAR,
    "display_order" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("person_id", "abstract_id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("affiliation_id") REFERENCES "indico_affiliations" ("id"),
    FOREIGN KEY ("person_id") REFERENCES "events_persons" ("id")
);

CREATE TABLE "event_abstracts_abstract_review_questions" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "field_type" VARCHAR NOT NULL,
    "title" TEXT NOT NULL,
    "no_score" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "is_required" BOOLEAN NOT NULL,
    "field_data" JSON NOT NULL,
    "description" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "event_abstracts_abstract_review_ratings" (
    "id" INTEGER NOT NULL,
    "question_id" INTEGER NOT NULL,
    "review_id" INTEGER NOT NULL,
    "value" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("review_id", "question_id"),
    FOREIGN KEY ("question_id") REFERENCES "event_abstracts_abstract_review_questions" ("id"),
    FOREIGN KEY ("review_id") REFERENCES "event_abstracts_abstract_reviews" ("id")
);

CREATE TABLE "event_abstracts_abstract_reviews" (
    "id" INTEGER NOT NULL,
    "abstract_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "track_id" INTEGER,
    "created_dt" DATETIME NOT NULL,
    "modified_dt" DATETIME,
    "comment" TEXT NOT NULL,
    "proposed_action" SMALLINT NOT NULL,
    "proposed_related_abstract_id" INTEGER,
    "proposed_contribution_type_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("abstract_id", "user_id", "track_id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("proposed_contribution_type_id") REFERENCES "events_contribution_types" ("id"),
    FOREIGN KEY ("proposed_related_abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("track_id") REFERENCES "events_tracks" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_abstracts_abstracts" (
    "id" INTEGER NOT NULL,
    "uuid" CHAR(32),
    "friendly_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "submitter_id" INTEGER NOT NULL,
    "submitted_contrib_type_id" INTEGER,
    "submitted_dt" DATETIME NOT NULL,
    "modified_by_id" INTEGER,
    "modified_dt" DATETIME,
    "state" SMALLINT NOT NULL,
    "submission_comment" TEXT NOT NULL,
    "judge_id" INTEGER,
    "judgment_comment" TEXT NOT NULL,
    "judgment_dt" DATETIME,
    "accepted_track_id" INTEGER,
    "accepted_contrib_type_id" INTEGER,
    "merged_into_id" INTEGER,
    "duplicate_of_id" INTEGER,
    "is_deleted" BOOLEAN NOT NULL,
    "description" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("accepted_contrib_type_id") REFERENCES "events_contribution_types" ("id"),
    FOREIGN KEY ("accepted_track_id") REFERENCES "events_tracks" ("id"),
    FOREIGN KEY ("duplicate_of_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("judge_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("merged_into_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("modified_by_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("submitted_contrib_type_id") REFERENCES "events_contribution_types" ("id"),
    FOREIGN KEY ("submitter_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_abstracts_email_logs" (
    "id" INTEGER NOT NULL,
    "abstract_id" INTEGER NOT NULL,
    "email_template_id" INTEGER,
    "user_id" INTEGER,
    "sent_dt" DATETIME NOT NULL,
    "recipients" TEXT NOT NULL,
    "subject" VARCHAR NOT NULL,
    "body" TEXT NOT NULL,
    "data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("email_template_id") REFERENCES "event_abstracts_email_templates" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_abstracts_email_templates" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "event_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "reply_to_address" VARCHAR NOT NULL,
    "subject" VARCHAR NOT NULL,
    "body" TEXT NOT NULL,
    "extra_cc_emails" TEXT NOT NULL,
    "include_submitter" BOOLEAN NOT NULL,
    "include_authors" BOOLEAN NOT NULL,
    "include_coauthors" BOOLEAN NOT NULL,
    "stop_on_match" BOOLEAN NOT NULL,
    "rules" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "event_abstracts_files" (
    "id" INTEGER NOT NULL,
    "abstract_id" INTEGER NOT NULL,
    "filename" VARCHAR NOT NULL,
    "content_type" VARCHAR NOT NULL,
    "size" BIGINT NOT NULL,
    "md5" VARCHAR NOT NULL,
    "storage_backend" VARCHAR NOT NULL,
    "storage_file_id" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id")
);

CREATE TABLE "event_abstracts_proposed_for_tracks" (
    "review_id" INTEGER NOT NULL,
    "track_id" INTEGER NOT NULL,
    PRIMARY KEY ("review_id", "track_id"),
    FOREIGN KEY ("review_id") REFERENCES "event_abstracts_abstract_reviews" ("id"),
    FOREIGN KEY ("track_id") REFERENCES "events_tracks" ("id")
);

CREATE TABLE "event_abstracts_reviewed_for_tracks" (
    "abstract_id" INTEGER NOT NULL,
    "track_id" INTEGER NOT NULL,
    PRIMARY KEY ("abstract_id", "track_id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("track_id") REFERENCES "events_tracks" ("id")
);

CREATE TABLE "event_abstracts_submitted_for_tracks" (
    "abstract_id" INTEGER NOT NULL,
    "track_id" INTEGER NOT NULL,
    PRIMARY KEY ("abstract_id", "track_id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("track_id") REFERENCES "events_tracks" ("id")
);

CREATE TABLE "event_editing_comments" (
    "id" INTEGER NOT NULL,
    "revision_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "created_dt" DATETIME NOT NULL,
    "modified_dt" DATETIME,
    "is_deleted" BOOLEAN NOT NULL,
    "internal" BOOLEAN NOT NULL,
    "system" BOOLEAN NOT NULL,
    "undone_judgment" SMALLINT NOT NULL,
    "text" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("revision_id") REFERENCES "event_editing_revisions" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_editing_editables" (
    "id" INTEGER NOT NULL,
    "contribution_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "editor_id" INTEGER,
    "published_revision_id" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("contribution_id", "type"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("editor_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("published_revision_id") REFERENCES "event_editing_revisions" ("id")
);

CREATE TABLE "event_editing_file_types" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "name" VARCHAR NOT NULL,
    "extensions" TEXT NOT NULL,
    "allow_multiple_files" BOOLEAN NOT NULL,
    "required" BOOLEAN NOT NULL,
    "publishable" BOOLEAN NOT NULL,
    "filename_template" VARCHAR,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "event_editing_review_condition_file_types" (
    "review_condition_id" INTEGER NOT NULL,
    "file_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("review_condition_id", "file_type_id"),
    FOREIGN KEY ("file_type_id") REFERENCES "event_editing_file_types" ("id"),
    FOREIGN KEY ("review_condition_id") REFERENCES "event_editing_review_conditions" ("id")
);

CREATE TABLE "event_editing_review_conditions" (
    "id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "event_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "event_editing_revision_files" (
    "revision_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "file_type_id" INTEGER,
    PRIMARY KEY ("revision_id", "file_id"),
    FOREIGN KEY ("file_id") REFERENCES "indico_files" ("id"),
    FOREIGN KEY ("file_type_id") REFERENCES "event_editing_file_types" ("id"),
    FOREIGN KEY ("revision_id") REFERENCES "event_editing_revisions" ("id")
);

CREATE TABLE "event_editing_revision_tags" (
    "revision_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    PRIMARY KEY ("revision_id", "tag_id"),
    FOREIGN KEY ("revision_id") REFERENCES "event_editing_revisions" ("id"),
    FOREIGN KEY ("tag_id") REFERENCES "event_editing_tags" ("id")
);

CREATE TABLE "event_editing_revisions" (
    "id" INTEGER NOT NULL,
    "editable_id" INTEGER NOT NULL,
    "submitter_id" INTEGER NOT NULL,
    "editor_id" INTEGER,
    "created_dt" DATETIME NOT NULL,
    "reviewed_dt" DATETIME,
    "initial_state" SMALLINT NOT NULL,
    "final_state" SMALLINT NOT NULL,
    "comment" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("editable_id") REFERENCES "event_editing_editables" ("id"),
    FOREIGN KEY ("editor_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("submitter_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_editing_tags" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "color" VARCHAR NOT NULL,
    "system" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "event_paper_reviewing_competences" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "competences" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "event_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_paper_reviewing_content_reviewers" (
    "contribution_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("contribution_id", "user_id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_paper_reviewing_files" (
    "id" INTEGER NOT NULL,
    "contribution_id" INTEGER NOT NULL,
    "revision_id" INTEGER,
    "filename" VARCHAR NOT NULL,
    "content_type" VARCHAR NOT NULL,
    "size" BIGINT NOT NULL,
    "md5" VARCHAR NOT NULL,
    "storage_backend" VARCHAR NOT NULL,
    "storage_file_id" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("revision_id") REFERENCES "event_paper_reviewing_revisions" ("id")
);

CREATE TABLE "event_paper_reviewing_judges" (
    "contribution_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("contribution_id", "user_id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_paper_reviewing_layout_reviewers" (
    "contribution_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("contribution_id", "user_id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_paper_reviewing_review_comments" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "modified_by_id" INTEGER,
    "created_dt" DATETIME NOT NULL,
    "modified_dt" DATETIME,
    "is_deleted" BOOLEAN NOT NULL,
    "revision_id" INTEGER NOT NULL,
    "visibility" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("modified_by_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("revision_id") REFERENCES "event_paper_reviewing_revisions" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_paper_reviewing_review_questions" (
    "type" SMALLINT NOT NULL,
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "field_type" VARCHAR NOT NULL,
    "title" TEXT NOT NULL,
    "no_score" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "is_required" BOOLEAN NOT NULL,
    "field_data" JSON NOT NULL,
    "description" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "event_paper_reviewing_review_ratings" (
    "id" INTEGER NOT NULL,
    "question_id" INTEGER NOT NULL,
    "review_id" INTEGER NOT NULL,
    "value" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("review_id", "question_id"),
    FOREIGN KEY ("question_id") REFERENCES "event_paper_reviewing_review_questions" ("id"),
    FOREIGN KEY ("review_id") REFERENCES "event_paper_reviewing_reviews" ("id")
);

CREATE TABLE "event_paper_reviewing_reviews" (
    "id" INTEGER NOT NULL,
    "revision_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "modified_dt" DATETIME,
    "comment" TEXT NOT NULL,
    "type" SMALLINT NOT NULL,
    "proposed_action" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("revision_id", "user_id", "type"),
    FOREIGN KEY ("revision_id") REFERENCES "event_paper_reviewing_revisions" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_paper_reviewing_revisions" (
    "id" INTEGER NOT NULL,
    "state" SMALLINT NOT NULL,
    "contribution_id" INTEGER NOT NULL,
    "submitter_id" INTEGER NOT NULL,
    "submitted_dt" DATETIME NOT NULL,
    "judge_id" INTEGER,
    "judgment_dt" DATETIME,
    "judgment_comment" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("contribution_id", "submitted_dt"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("judge_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("submitter_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_paper_reviewing_templates" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "description" TEXT NOT NULL,
    "filename" VARCHAR NOT NULL,
    "content_type" VARCHAR NOT NULL,
    "size" BIGINT NOT NULL,
    "md5" VARCHAR NOT NULL,
    "storage_backend" VARCHAR NOT NULL,
    "storage_file_id" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "event_registration_form_field_data" (
    "id" INTEGER NOT NULL,
    "field_id" INTEGER NOT NULL,
    "versioned_data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("field_id") REFERENCES "event_registration_form_items" ("id")
);

CREATE TABLE "event_registration_form_items" (
    "id" INTEGER NOT NULL,
    "registration_form_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "personal_data_type" SMALLINT,
    "parent_id" INTEGER,
    "position" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "description" VARCHAR NOT NULL,
    "is_enabled" BOOLEAN NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "is_required" BOOLEAN NOT NULL,
    "is_manager_only" BOOLEAN NOT NULL,
    "input_type" VARCHAR,
    "data" JSON NOT NULL,
    "retention_period" DATETIME,
    "is_purged" BOOLEAN NOT NULL,
    "current_data_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("current_data_id") REFERENCES "event_registration_form_field_data" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "event_registration_form_items" ("id"),
    FOREIGN KEY ("registration_form_id") REFERENCES "event_registration_forms" ("id")
);

CREATE TABLE "event_registration_forms" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "is_participation" BOOLEAN NOT NULL,
    "introduction" TEXT NOT NULL,
    "contact_info" VARCHAR NOT NULL,
    "start_dt" DATETIME,
    "end_dt" DATETIME,
    "modification_mode" SMALLINT NOT NULL,
    "modification_end_dt" DATETIME,
    "is_deleted" BOOLEAN NOT NULL,
    "require_login" BOOLEAN NOT NULL,
    "require_user" BOOLEAN NOT NULL,
    "require_captcha" BOOLEAN NOT NULL,
    "registration_limit" INTEGER,
    "publish_registrations_public" SMALLINT NOT NULL,
    "publish_registrations_participants" SMALLINT NOT NULL,
    "publish_registrations_duration" DATETIME,
    "publish_registration_count" BOOLEAN NOT NULL,
    "publish_checkin_enabled" BOOLEAN NOT NULL,
    "moderation_enabled" BOOLEAN NOT NULL,
    "base_price" NUMERIC(11, 2) NOT NULL,
    "currency" VARCHAR NOT NULL,
    "notification_sender_address" VARCHAR,
    "message_pending" TEXT NOT NULL,
    "message_unpaid" TEXT NOT NULL,
    "message_complete" TEXT NOT NULL,
    "attach_ical" BOOLEAN NOT NULL,
    "manager_notifications_enabled" BOOLEAN NOT NULL,
    "manager_notification_recipients" TEXT NOT NULL,
    "tickets_enabled" BOOLEAN NOT NULL,
    "ticket_on_email" BOOLEAN NOT NULL,
    "ticket_on_event_page" BOOLEAN NOT NULL,
    "ticket_on_summary_page" BOOLEAN NOT NULL,
    "ticket_template_id" INTEGER,
    "retention_period" DATETIME,
    "is_purged" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("id", "event_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("ticket_template_id") REFERENCES "indico_designer_templates" ("id")
);

CREATE TABLE "event_registration_invitations" (
    "id" INTEGER NOT NULL,
    "uuid" CHAR(32) NOT NULL,
    "registration_form_id" INTEGER NOT NULL,
    "registration_id" INTEGER,
    "state" SMALLINT NOT NULL,
    "skip_moderation" BOOLEAN NOT NULL,
    "email" VARCHAR NOT NULL,
    "first_name" VARCHAR NOT NULL,
    "last_name" VARCHAR NOT NULL,
    "affiliation" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("registration_form_id", "email"),
    UNIQUE ("registration_id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("registration_form_id") REFERENCES "event_registration_forms" ("id"),
    FOREIGN KEY ("registration_id") REFERENCES "event_registration_registrations" ("id")
);

CREATE TABLE "event_registration_legacy_registration_map" (
    "event_id" INTEGER NOT NULL,
    "legacy_registrant_id" INTEGER NOT NULL,
    "legacy_registrant_key" VARCHAR NOT NULL,
    "registration_id" INTEGER NOT NULL,
    PRIMARY KEY ("event_id", "legacy_registrant_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("registration_id") REFERENCES "event_registration_registrations" ("id")
);

CREATE TABLE "event_registration_registration_data" (
    "registration_id" INTEGER NOT NULL,
    "field_data_id" INTEGER NOT NULL,
    "data" JSON NOT NULL,
    "filename" VARCHAR,
    "content_type" VARCHAR,
    "size" BIGINT,
    "md5" VARCHAR,
    "storage_backend" VARCHAR,
    "storage_file_id" VARCHAR,
    PRIMARY KEY ("registration_id", "field_data_id"),
    FOREIGN KEY ("field_data_id") REFERENCES "event_registration_form_field_data" ("id"),
    FOREIGN KEY ("registration_id") REFERENCES "event_registration_registrations" ("id")
);

CREATE TABLE "event_registration_registration_tags" (
    "registration_id" INTEGER NOT NULL,
    "registration_tag_id" INTEGER NOT NULL,
    PRIMARY KEY ("registration_id", "registration_tag_id"),
    FOREIGN KEY ("registration_id") REFERENCES "event_registration_registrations" ("id"),
    FOREIGN KEY ("registration_tag_id") REFERENCES "event_registration_tags" ("id")
);

CREATE TABLE "event_registration_registrations" (
    "id" INTEGER NOT NULL,
    "uuid" CHAR(32) NOT NULL,
    "friendly_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "registration_form_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "transaction_id" INTEGER,
    "state" SMALLINT NOT NULL,
    "base_price" NUMERIC(11, 2) NOT NULL,
    "price_adjustment" NUMERIC(11, 2) NOT NULL,
    "currency" VARCHAR NOT NULL,
    "submitted_dt" DATETIME NOT NULL,
    "email" VARCHAR NOT NULL,
    "first_name" VARCHAR NOT NULL,
    "last_name" VARCHAR NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "ticket_uuid" CHAR(32) NOT NULL,
    "checked_in" BOOLEAN NOT NULL,
    "checked_in_dt" DATETIME,
    "rejection_reason" VARCHAR NOT NULL,
    "consent_to_publish" SMALLINT NOT NULL,
    "participant_hidden" BOOLEAN NOT NULL,
    "created_by_manager" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("ticket_uuid"),
    UNIQUE ("transaction_id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("event_id", "registration_form_id") REFERENCES "event_registration_forms" ("event_id", "id"),
    FOREIGN KEY ("registration_form_id") REFERENCES "event_registration_forms" ("id"),
    FOREIGN KEY ("transaction_id") REFERENCES "events_payment_transactions" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_registration_tags" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "color" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "event_surveys_anonymous_submissions" (
    "survey_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("survey_id", "user_id"),
    FOREIGN KEY ("survey_id") REFERENCES "event_surveys_surveys" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_surveys_answers" (
    "submission_id" INTEGER NOT NULL,
    "question_id" INTEGER NOT NULL,
    "data" JSON NOT NULL,
    PRIMARY KEY ("submission_id", "question_id"),
    FOREIGN KEY ("question_id") REFERENCES "event_surveys_items" ("id"),
    FOREIGN KEY ("submission_id") REFERENCES "event_surveys_submissions" ("id")
);

CREATE TABLE "event_surveys_items" (
    "id" INTEGER NOT NULL,
    "survey_id" INTEGER NOT NULL,
    "parent_id" INTEGER,
    "position" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "title" VARCHAR,
    "display_as_section" BOOLEAN,
    "is_required" BOOLEAN,
    "field_type" VARCHAR,
    "field_data" JSON NOT NULL,
    "description" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "event_surveys_items" ("id"),
    FOREIGN KEY ("survey_id") REFERENCES "event_surveys_surveys" ("id")
);

CREATE TABLE "event_surveys_submissions" (
    "id" INTEGER NOT NULL,
    "friendly_id" INTEGER NOT NULL,
    "survey_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "submitted_dt" DATETIME,
    "is_anonymous" BOOLEAN NOT NULL,
    "is_submitted" BOOLEAN NOT NULL,
    "pending_answers" JSON,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("survey_id") REFERENCES "event_surveys_surveys" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "event_surveys_surveys" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "uuid" CHAR(32) NOT NULL,
    "introduction" TEXT NOT NULL,
    "anonymous" BOOLEAN NOT NULL,
    "require_user" BOOLEAN NOT NULL,
    "private" BOOLEAN NOT NULL,
    "submission_limit" INTEGER,
    "start_dt" DATETIME,
    "end_dt" DATETIME,
    "is_deleted" BOOLEAN NOT NULL,
    "start_notification_sent" BOOLEAN NOT NULL,
    "notifications_enabled" BOOLEAN NOT NULL,
    "notify_participants" BOOLEAN NOT NULL,
    "start_notification_emails" TEXT NOT NULL,
    "new_submission_emails" TEXT NOT NULL,
    "partial_completion" BOOLEAN NOT NULL,
    "last_friendly_submission_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events" (
    "id" INTEGER NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "is_locked" BOOLEAN NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "category_id" INTEGER,
    "series_id" INTEGER,
    "cloned_from_id" INTEGER,
    "label_id" INTEGER,
    "label_message" TEXT NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "start_dt" DATETIME NOT NULL,
    "end_dt" DATETIME NOT NULL,
    "timezone" VARCHAR NOT NULL,
    "type" SMALLINT NOT NULL,
    "visibility" INTEGER,
    "keywords" TEXT NOT NULL,
    "url_shortcut" VARCHAR,
    "logo_metadata" JSON NOT NULL,
    "logo" BLOB,
    "stylesheet_metadata" JSON NOT NULL,
    "stylesheet" TEXT,
    "default_page_id" INTEGER,
    "map_url" VARCHAR NOT NULL,
    "custom_boa_id" INTEGER,
    "last_friendly_registration_id" INTEGER NOT NULL,
    "last_friendly_contribution_id" INTEGER NOT NULL,
    "last_friendly_session_id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "description" TEXT NOT NULL,
    "room_id" INTEGER,
    "venue_id" INTEGER,
    "venue_name" VARCHAR NOT NULL,
    "room_name" VARCHAR NOT NULL,
    "address" TEXT NOT NULL,
    "protection_mode" SMALLINT NOT NULL,
    "access_key" VARCHAR NOT NULL,
    "no_access_contact" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id"),
    FOREIGN KEY ("cloned_from_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("creator_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("custom_boa_id") REFERENCES "indico_files" ("id"),
    FOREIGN KEY ("default_page_id") REFERENCES "events_pages" ("id"),
    FOREIGN KEY ("label_id") REFERENCES "events_labels" ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id"),
    FOREIGN KEY ("series_id") REFERENCES "events_series" ("id"),
    FOREIGN KEY ("venue_id") REFERENCES "roombooking_locations" ("id"),
    FOREIGN KEY ("venue_id", "room_id") REFERENCES "roombooking_rooms" ("location_id", "id")
);

CREATE TABLE "events_agreements" (
    "id" INTEGER NOT NULL,
    "uuid" VARCHAR NOT NULL,
    "event_id" INTEGER NOT NULL,
    "type" VARCHAR NOT NULL,
    "identifier" VARCHAR NOT NULL,
    "person_email" VARCHAR,
    "person_name" VARCHAR NOT NULL,
    "state" SMALLINT NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "user_id" INTEGER,
    "signed_dt" DATETIME,
    "signed_from_ip" VARCHAR,
    "reason" VARCHAR,
    "attachment" BLOB,
    "attachment_filename" VARCHAR,
    "data" JSON,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "type", "identifier"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_breaks" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "duration" DATETIME NOT NULL,
    "description" TEXT NOT NULL,
    "text_color" VARCHAR NOT NULL,
    "background_color" VARCHAR NOT NULL,
    "inherit_location" BOOLEAN NOT NULL,
    "room_id" INTEGER,
    "venue_id" INTEGER,
    "venue_name" VARCHAR NOT NULL,
    "room_name" VARCHAR NOT NULL,
    "address" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id"),
    FOREIGN KEY ("venue_id") REFERENCES "roombooking_locations" ("id"),
    FOREIGN KEY ("venue_id", "room_id") REFERENCES "roombooking_rooms" ("location_id", "id")
);

CREATE TABLE "events_contribution_field_values" (
    "data" JSON NOT NULL,
    "contribution_id" INTEGER NOT NULL,
    "contribution_field_id" INTEGER NOT NULL,
    PRIMARY KEY ("contribution_id", "contribution_field_id"),
    FOREIGN KEY ("contribution_field_id") REFERENCES "events_contribution_fields" ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id")
);

CREATE TABLE "events_contribution_fields" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "legacy_id" VARCHAR,
    "position" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "description" TEXT NOT NULL,
    "is_required" BOOLEAN NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "is_user_editable" BOOLEAN NOT NULL,
    "visibility" SMALLINT NOT NULL,
    "field_type" VARCHAR,
    "field_data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "legacy_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_contribution_person_links" (
    "contribution_id" INTEGER NOT NULL,
    "is_speaker" BOOLEAN NOT NULL,
    "author_type" SMALLINT NOT NULL,
    "id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "first_name" VARCHAR,
    "last_name" VARCHAR,
    "title" SMALLINT,
    "affiliation_id" INTEGER,
    "affiliation" VARCHAR,
    "address" TEXT,
    "phone" VARCHAR,
    "display_order" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("person_id", "contribution_id"),
    FOREIGN KEY ("affiliation_id") REFERENCES "indico_affiliations" ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("person_id") REFERENCES "events_persons" ("id")
);

CREATE TABLE "events_contribution_principals" (
    "read_access" BOOLEAN NOT NULL,
    "full_access" BOOLEAN NOT NULL,
    "permissions" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "contribution_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    "email" VARCHAR,
    "event_role_id" INTEGER,
    "category_role_id" INTEGER,
    "registration_form_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("event_role_id") REFERENCES "events_roles" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("registration_form_id") REFERENCES "event_registration_forms" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_contribution_references" (
    "id" INTEGER NOT NULL,
    "value" VARCHAR NOT NULL,
    "contribution_id" INTEGER NOT NULL,
    "reference_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("reference_type_id") REFERENCES "indico_reference_types" ("id")
);

CREATE TABLE "events_contribution_types" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "description" TEXT NOT NULL,
    "is_private" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_contributions" (
    "id" INTEGER NOT NULL,
    "friendly_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "session_id" INTEGER,
    "session_block_id" INTEGER,
    "track_id" INTEGER,
    "abstract_id" INTEGER,
    "type_id" INTEGER,
    "code" VARCHAR NOT NULL,
    "duration" DATETIME NOT NULL,
    "board_number" VARCHAR NOT NULL,
    "keywords" TEXT NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "last_friendly_subcontribution_id" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "title" VARCHAR NOT NULL,
    "render_mode" SMALLINT NOT NULL,
    "protection_mode" SMALLINT NOT NULL,
    "inherit_location" BOOLEAN NOT NULL,
    "room_id" INTEGER,
    "venue_id" INTEGER,
    "venue_name" VARCHAR NOT NULL,
    "room_name" VARCHAR NOT NULL,
    "address" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("abstract_id") REFERENCES "event_abstracts_abstracts" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id"),
    FOREIGN KEY ("session_block_id") REFERENCES "events_session_blocks" ("id"),
    FOREIGN KEY ("session_block_id", "session_id") REFERENCES "events_session_blocks" ("id", "session_id"),
    FOREIGN KEY ("session_id") REFERENCES "events_sessions" ("id"),
    FOREIGN KEY ("track_id") REFERENCES "events_tracks" ("id"),
    FOREIGN KEY ("type_id") REFERENCES "events_contribution_types" ("id"),
    FOREIGN KEY ("venue_id") REFERENCES "roombooking_locations" ("id"),
    FOREIGN KEY ("venue_id", "room_id") REFERENCES "roombooking_rooms" ("location_id", "id")
);

CREATE TABLE "events_event_person_links" (
    "event_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "first_name" VARCHAR,
    "last_name" VARCHAR,
    "title" SMALLINT,
    "affiliation_id" INTEGER,
    "affiliation" VARCHAR,
    "address" TEXT,
    "phone" VARCHAR,
    "display_order" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("person_id", "event_id"),
    FOREIGN KEY ("affiliation_id") REFERENCES "indico_affiliations" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("person_id") REFERENCES "events_persons" ("id")
);

CREATE TABLE "events_event_references" (
    "id" INTEGER NOT NULL,
    "value" VARCHAR NOT NULL,
    "event_id" INTEGER NOT NULL,
    "reference_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("reference_type_id") REFERENCES "indico_reference_types" ("id")
);

CREATE TABLE "events_image_files" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "filename" VARCHAR NOT NULL,
    "content_type" VARCHAR NOT NULL,
    "size" BIGINT NOT NULL,
    "md5" VARCHAR NOT NULL,
    "storage_backend" VARCHAR NOT NULL,
    "storage_file_id" VARCHAR NOT NULL,
    "created_dt" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_labels" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "color" VARCHAR NOT NULL,
    "is_event_not_happening" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "events_legacy_contribution_id_map" (
    "event_id" INTEGER NOT NULL,
    "legacy_contribution_id" VARCHAR NOT NULL,
    "contribution_id" INTEGER NOT NULL,
    PRIMARY KEY ("event_id", "legacy_contribution_id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_legacy_id_map" (
    "legacy_event_id" VARCHAR NOT NULL,
    "event_id" INTEGER NOT NULL,
    PRIMARY KEY ("legacy_event_id", "event_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_legacy_image_id_map" (
    "event_id" INTEGER NOT NULL,
    "legacy_image_id" INTEGER NOT NULL,
    "image_id" INTEGER NOT NULL,
    PRIMARY KEY ("event_id", "legacy_image_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("image_id") REFERENCES "events_image_files" ("id")
);

CREATE TABLE "events_legacy_page_id_map" (
    "event_id" INTEGER NOT NULL,
    "legacy_page_id" INTEGER NOT NULL,
    "page_id" INTEGER NOT NULL,
    PRIMARY KEY ("event_id", "legacy_page_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("page_id") REFERENCES "events_pages" ("id")
);

CREATE TABLE "events_legacy_session_block_id_map" (
    "event_id" INTEGER NOT NULL,
    "legacy_session_id" VARCHAR NOT NULL,
    "legacy_session_block_id" VARCHAR NOT NULL,
    "session_block_id" INTEGER NOT NULL,
    PRIMARY KEY ("event_id", "legacy_session_id", "legacy_session_block_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("session_block_id") REFERENCES "events_session_blocks" ("id")
);

CREATE TABLE "events_legacy_session_id_map" (
    "event_id" INTEGER NOT NULL,
    "legacy_session_id" VARCHAR NOT NULL,
    "session_id" INTEGER NOT NULL,
    PRIMARY KEY ("event_id", "legacy_session_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "events_sessions" ("id")
);

CREATE TABLE "events_legacy_subcontribution_id_map" (
    "event_id" INTEGER NOT NULL,
    "legacy_contribution_id" VARCHAR NOT NULL,
    "legacy_subcontribution_id" VARCHAR NOT NULL,
    "subcontribution_id" INTEGER NOT NULL,
    PRIMARY KEY ("event_id", "legacy_contribution_id", "legacy_subcontribution_id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("subcontribution_id") REFERENCES "events_subcontributions" ("id")
);

CREATE TABLE "events_logs" (
    "id" INTEGER NOT NULL,
    "logged_dt" DATETIME NOT NULL,
    "kind" SMALLINT NOT NULL,
    "module" VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    "summary" VARCHAR NOT NULL,
    "data" JSON NOT NULL,
    "meta" JSON NOT NULL,
    "event_id" INTEGER NOT NULL,
    "realm" SMALLINT NOT NULL,
    "user_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_menu_entries" (
    "id" INTEGER NOT NULL,
    "parent_id" INTEGER,
    "event_id" INTEGER NOT NULL,
    "is_enabled" BOOLEAN NOT NULL,
    "title" VARCHAR,
    "name" VARCHAR,
    "position" INTEGER NOT NULL,
    "new_tab" BOOLEAN NOT NULL,
    "access" SMALLINT NOT NULL,
    "link_url" VARCHAR,
    "plugin" VARCHAR,
    "page_id" INTEGER,
    "type" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("page_id") REFERENCES "events_pages" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "events_menu_entries" ("id")
);

CREATE TABLE "events_note_revisions" (
    "id" INTEGER NOT NULL,
    "note_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "render_mode" SMALLINT NOT NULL,
    "source" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("note_id") REFERENCES "events_notes" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_notes" (
    "id" INTEGER NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "html" TEXT NOT NULL,
    "current_revision_id" INTEGER,
    "link_type" SMALLINT NOT NULL,
    "event_id" INTEGER,
    "linked_event_id" INTEGER,
    "session_id" INTEGER,
    "contribution_id" INTEGER,
    "subcontribution_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("current_revision_id") REFERENCES "events_note_revisions" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("linked_event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "events_sessions" ("id"),
    FOREIGN KEY ("subcontribution_id") REFERENCES "events_subcontributions" ("id")
);

CREATE TABLE "events_pages" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "html" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_payment_transactions" (
    "id" INTEGER NOT NULL,
    "registration_id" INTEGER NOT NULL,
    "status" SMALLINT NOT NULL,
    "amount" NUMERIC(11, 2) NOT NULL,
    "currency" VARCHAR NOT NULL,
    "provider" VARCHAR NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("registration_id") REFERENCES "event_registration_registrations" ("id")
);

CREATE TABLE "events_persons" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "first_name" VARCHAR NOT NULL,
    "last_name" VARCHAR NOT NULL,
    "email" VARCHAR NOT NULL,
    "title" SMALLINT NOT NULL,
    "affiliation_id" INTEGER,
    "affiliation" VARCHAR NOT NULL,
    "address" TEXT NOT NULL,
    "phone" VARCHAR NOT NULL,
    "invited_dt" DATETIME,
    "is_untrusted" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "user_id"),
    FOREIGN KEY ("affiliation_id") REFERENCES "indico_affiliations" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_principals" (
    "read_access" BOOLEAN NOT NULL,
    "full_access" BOOLEAN NOT NULL,
    "permissions" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    "email" VARCHAR,
    "ip_network_group_id" INTEGER,
    "event_role_id" INTEGER,
    "category_role_id" INTEGER,
    "registration_form_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("event_role_id") REFERENCES "events_roles" ("id"),
    FOREIGN KEY ("ip_network_group_id") REFERENCES "indico_ip_network_groups" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("registration_form_id") REFERENCES "event_registration_forms" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_reminders" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "scheduled_dt" DATETIME NOT NULL,
    "is_sent" BOOLEAN NOT NULL,
    "event_start_delta" DATETIME,
    "recipients" TEXT NOT NULL,
    "send_to_participants" BOOLEAN NOT NULL,
    "send_to_speakers" BOOLEAN NOT NULL,
    "include_summary" BOOLEAN NOT NULL,
    "include_description" BOOLEAN NOT NULL,
    "attach_ical" BOOLEAN NOT NULL,
    "reply_to_address" VARCHAR NOT NULL,
    "message" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("creator_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_requests" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "type" VARCHAR NOT NULL,
    "state" SMALLINT NOT NULL,
    "data" JSON NOT NULL,
    "created_by_id" INTEGER NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "processed_by_id" INTEGER,
    "processed_dt" DATETIME,
    "comment" TEXT,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("processed_by_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_role_members" (
    "role_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("role_id", "user_id"),
    FOREIGN KEY ("role_id") REFERENCES "events_roles" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_roles" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "color" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "code"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_series" (
    "id" INTEGER NOT NULL,
    "show_sequence_in_title" BOOLEAN NOT NULL,
    "show_links" BOOLEAN NOT NULL,
    "event_title_pattern" VARCHAR NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "events_session_block_person_links" (
    "session_block_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "first_name" VARCHAR,
    "last_name" VARCHAR,
    "title" SMALLINT,
    "affiliation_id" INTEGER,
    "affiliation" VARCHAR,
    "address" TEXT,
    "phone" VARCHAR,
    "display_order" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("person_id", "session_block_id"),
    FOREIGN KEY ("affiliation_id") REFERENCES "indico_affiliations" ("id"),
    FOREIGN KEY ("person_id") REFERENCES "events_persons" ("id"),
    FOREIGN KEY ("session_block_id") REFERENCES "events_session_blocks" ("id")
);

CREATE TABLE "events_session_blocks" (
    "id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "duration" DATETIME NOT NULL,
    "inherit_location" BOOLEAN NOT NULL,
    "room_id" INTEGER,
    "venue_id" INTEGER,
    "venue_name" VARCHAR NOT NULL,
    "room_name" VARCHAR NOT NULL,
    "address" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("id", "session_id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "events_sessions" ("id"),
    FOREIGN KEY ("venue_id") REFERENCES "roombooking_locations" ("id"),
    FOREIGN KEY ("venue_id", "room_id") REFERENCES "roombooking_rooms" ("location_id", "id")
);

CREATE TABLE "events_session_principals" (
    "read_access" BOOLEAN NOT NULL,
    "full_access" BOOLEAN NOT NULL,
    "permissions" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    "email" VARCHAR,
    "event_role_id" INTEGER,
    "category_role_id" INTEGER,
    "registration_form_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("event_role_id") REFERENCES "events_roles" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("registration_form_id") REFERENCES "event_registration_forms" ("id"),
    FOREIGN KEY ("session_id") REFERENCES "events_sessions" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_session_types" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "is_poster" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_sessions" (
    "id" INTEGER NOT NULL,
    "friendly_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "type_id" INTEGER,
    "title" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "default_contribution_duration" DATETIME NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "description" TEXT NOT NULL,
    "text_color" VARCHAR NOT NULL,
    "background_color" VARCHAR NOT NULL,
    "protection_mode" SMALLINT NOT NULL,
    "inherit_location" BOOLEAN NOT NULL,
    "room_id" INTEGER,
    "venue_id" INTEGER,
    "venue_name" VARCHAR NOT NULL,
    "room_name" VARCHAR NOT NULL,
    "address" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id"),
    FOREIGN KEY ("type_id") REFERENCES "events_session_types" ("id"),
    FOREIGN KEY ("venue_id") REFERENCES "roombooking_locations" ("id"),
    FOREIGN KEY ("venue_id", "room_id") REFERENCES "roombooking_rooms" ("location_id", "id")
);

CREATE TABLE "events_settings" (
    "id" INTEGER NOT NULL,
    "module" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "value" JSON NOT NULL,
    "event_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("event_id", "module", "name"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_settings_principals" (
    "id" INTEGER NOT NULL,
    "module" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    "event_role_id" INTEGER,
    "category_role_id" INTEGER,
    "event_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("event_role_id") REFERENCES "events_roles" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_static_list_links" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "type" VARCHAR NOT NULL,
    "uuid" CHAR(32) NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "last_used_dt" DATETIME,
    "data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_static_sites" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "state" SMALLINT NOT NULL,
    "requested_dt" DATETIME NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "filename" VARCHAR,
    "content_type" VARCHAR,
    "size" BIGINT,
    "md5" VARCHAR,
    "storage_backend" VARCHAR,
    "storage_file_id" VARCHAR,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("creator_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_subcontribution_person_links" (
    "subcontribution_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "first_name" VARCHAR,
    "last_name" VARCHAR,
    "title" SMALLINT,
    "affiliation_id" INTEGER,
    "affiliation" VARCHAR,
    "address" TEXT,
    "phone" VARCHAR,
    "display_order" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("person_id", "subcontribution_id"),
    FOREIGN KEY ("affiliation_id") REFERENCES "indico_affiliations" ("id"),
    FOREIGN KEY ("person_id") REFERENCES "events_persons" ("id"),
    FOREIGN KEY ("subcontribution_id") REFERENCES "events_subcontributions" ("id")
);

CREATE TABLE "events_subcontribution_references" (
    "id" INTEGER NOT NULL,
    "value" VARCHAR NOT NULL,
    "subcontribution_id" INTEGER NOT NULL,
    "reference_type_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("reference_type_id") REFERENCES "indico_reference_types" ("id"),
    FOREIGN KEY ("subcontribution_id") REFERENCES "events_subcontributions" ("id")
);

CREATE TABLE "events_subcontributions" (
    "id" INTEGER NOT NULL,
    "friendly_id" INTEGER NOT NULL,
    "contribution_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "code" VARCHAR NOT NULL,
    "duration" DATETIME NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "description" TEXT NOT NULL,
    "title" VARCHAR NOT NULL,
    "render_mode" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("friendly_id", "contribution_id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id")
);

CREATE TABLE "events_timetable_entries" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "parent_id" INTEGER,
    "session_block_id" INTEGER,
    "contribution_id" INTEGER,
    "break_id" INTEGER,
    "type" SMALLINT NOT NULL,
    "start_dt" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("break_id"),
    UNIQUE ("contribution_id"),
    UNIQUE ("session_block_id"),
    FOREIGN KEY ("break_id") REFERENCES "events_breaks" ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("parent_id") REFERENCES "events_timetable_entries" ("id"),
    FOREIGN KEY ("session_block_id") REFERENCES "events_session_blocks" ("id")
);

CREATE TABLE "events_track_groups" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "position" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "events_track_principals" (
    "read_access" BOOLEAN NOT NULL,
    "full_access" BOOLEAN NOT NULL,
    "permissions" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "track_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    "event_role_id" INTEGER,
    "category_role_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_role_id") REFERENCES "categories_roles" ("id"),
    FOREIGN KEY ("event_role_id") REFERENCES "events_roles" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("track_id") REFERENCES "events_tracks" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "events_tracks" (
    "id" INTEGER NOT NULL,
    "title" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "event_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "default_session_id" INTEGER,
    "track_group_id" INTEGER,
    "description" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("default_session_id") REFERENCES "events_sessions" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("track_group_id") REFERENCES "events_track_groups" ("id")
);

CREATE TABLE "events_vc_room_events" (
    "id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "vc_room_id" INTEGER NOT NULL,
    "link_type" SMALLINT NOT NULL,
    "linked_event_id" INTEGER,
    "session_block_id" INTEGER,
    "contribution_id" INTEGER,
    "show" BOOLEAN NOT NULL,
    "data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("linked_event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("session_block_id") REFERENCES "events_session_blocks" ("id"),
    FOREIGN KEY ("vc_room_id") REFERENCES "events_vc_rooms" ("id")
);

CREATE TABLE "events_vc_rooms" (
    "id" INTEGER NOT NULL,
    "type" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "status" SMALLINT NOT NULL,
    "created_by_id" INTEGER NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "modified_dt" DATETIME,
    "data" JSON NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id")
);

CREATE TABLE "indico_affiliations" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "street" VARCHAR NOT NULL,
    "postcode" VARCHAR NOT NULL,
    "city" VARCHAR NOT NULL,
    "country_code" VARCHAR NOT NULL,
    "meta" JSON NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "indico_designer_image_files" (
    "id" INTEGER NOT NULL,
    "template_id" INTEGER NOT NULL,
    "filename" VARCHAR NOT NULL,
    "content_type" VARCHAR NOT NULL,
    "size" BIGINT NOT NULL,
    "md5" VARCHAR NOT NULL,
    "storage_backend" VARCHAR NOT NULL,
    "storage_file_id" VARCHAR NOT NULL,
    "created_dt" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("template_id") REFERENCES "indico_designer_templates" ("id")
);

CREATE TABLE "indico_designer_templates" (
    "id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "title" VARCHAR NOT NULL,
    "event_id" INTEGER,
    "category_id" INTEGER,
    "data" JSON NOT NULL,
    "background_image_id" INTEGER,
    "backside_template_id" INTEGER,
    "is_clonable" BOOLEAN NOT NULL,
    "is_system_template" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("background_image_id") REFERENCES "indico_designer_image_files" ("id"),
    FOREIGN KEY ("backside_template_id") REFERENCES "indico_designer_templates" ("id"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id")
);

CREATE TABLE "indico_files" (
    "id" INTEGER NOT NULL,
    "uuid" CHAR(32) NOT NULL,
    "claimed" BOOLEAN NOT NULL,
    "meta" JSON NOT NULL,
    "filename" VARCHAR NOT NULL,
    "content_type" VARCHAR NOT NULL,
    "size" BIGINT NOT NULL,
    "md5" VARCHAR NOT NULL,
    "storage_backend" VARCHAR NOT NULL,
    "storage_file_id" VARCHAR NOT NULL,
    "created_dt" DATETIME NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("uuid")
);

CREATE TABLE "indico_ip_network_groups" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "description" TEXT NOT NULL,
    "hidden" BOOLEAN NOT NULL,
    "attachment_access_override" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "indico_ip_networks" (
    "group_id" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    PRIMARY KEY ("group_id", "network"),
    FOREIGN KEY ("group_id") REFERENCES "indico_ip_network_groups" ("id")
);

CREATE TABLE "indico_news" (
    "id" INTEGER NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "title" VARCHAR NOT NULL,
    "content" TEXT NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "indico_reference_types" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "scheme" VARCHAR NOT NULL,
    "url_template" VARCHAR NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "indico_settings" (
    "id" INTEGER NOT NULL,
    "module" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "value" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("module", "name")
);

CREATE TABLE "indico_settings_principals" (
    "id" INTEGER NOT NULL,
    "module" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "oauth_application_user_links" (
    "id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "scopes" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("application_id", "user_id"),
    FOREIGN KEY ("application_id") REFERENCES "oauth_applications" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "oauth_applications" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "description" TEXT NOT NULL,
    "client_id" CHAR(32) NOT NULL,
    "client_secret" CHAR(32) NOT NULL,
    "allowed_scopes" TEXT NOT NULL,
    "redirect_uris" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL,
    "is_trusted" BOOLEAN NOT NULL,
    "allow_pkce_flow" BOOLEAN NOT NULL,
    "system_app_type" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("client_id")
);

CREATE TABLE "oauth_tokens" (
    "id" INTEGER NOT NULL,
    "access_token_hash" VARCHAR NOT NULL,
    "scopes" TEXT NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "last_used_dt" DATETIME,
    "last_used_ip" TEXT,
    "use_count" INTEGER NOT NULL,
    "app_user_link_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("access_token_hash"),
    FOREIGN KEY ("app_user_link_id") REFERENCES "oauth_application_user_links" ("id")
);

CREATE TABLE "roombooking_blocked_rooms" (
    "id" INTEGER NOT NULL,
    "state" SMALLINT NOT NULL,
    "rejected_by" VARCHAR,
    "rejection_reason" VARCHAR,
    "blocking_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("blocking_id") REFERENCES "roombooking_blockings" ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id")
);

CREATE TABLE "roombooking_blocking_principals" (
    "id" INTEGER NOT NULL,
    "blocking_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("blocking_id") REFERENCES "roombooking_blockings" ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "roombooking_blockings" (
    "id" INTEGER NOT NULL,
    "created_by_id" INTEGER NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "start_date" DATE NOT NULL,
    "end_date" DATE NOT NULL,
    "reason" TEXT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id")
);

CREATE TABLE "roombooking_equipment_features" (
    "equipment_id" INTEGER NOT NULL,
    "feature_id" INTEGER NOT NULL,
    PRIMARY KEY ("equipment_id", "feature_id"),
    FOREIGN KEY ("equipment_id") REFERENCES "roombooking_equipment_types" ("id"),
    FOREIGN KEY ("feature_id") REFERENCES "roombooking_features" ("id")
);

CREATE TABLE "roombooking_equipment_types" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "roombooking_favorite_rooms" (
    "user_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    PRIMARY KEY ("user_id", "room_id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "roombooking_features" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "title" VARCHAR NOT NULL,
    "icon" VARCHAR NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "roombooking_locations" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "map_url_template" VARCHAR NOT NULL,
    "room_name_format" VARCHAR NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "roombooking_map_areas" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "is_default" BOOLEAN NOT NULL,
    "top_left_latitude" DOUBLE NOT NULL,
    "top_left_longitude" DOUBLE NOT NULL,
    "bottom_right_latitude" DOUBLE NOT NULL,
    "bottom_right_longitude" DOUBLE NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "roombooking_photos" (
    "id" INTEGER NOT NULL,
    "data" BLOB,
    PRIMARY KEY ("id")
);

CREATE TABLE "roombooking_reservation_edit_logs" (
    "id" INTEGER NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "info" TEXT NOT NULL,
    "user_name" VARCHAR NOT NULL,
    "reservation_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("reservation_id") REFERENCES "roombooking_reservations" ("id")
);

CREATE TABLE "roombooking_reservation_links" (
    "id" INTEGER NOT NULL,
    "link_type" SMALLINT NOT NULL,
    "event_id" INTEGER,
    "linked_event_id" INTEGER,
    "session_block_id" INTEGER,
    "contribution_id" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("contribution_id") REFERENCES "events_contributions" ("id"),
    FOREIGN KEY ("event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("linked_event_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("session_block_id") REFERENCES "events_session_blocks" ("id")
);

CREATE TABLE "roombooking_reservation_occurrences" (
    "reservation_id" INTEGER NOT NULL,
    "start_dt" DATETIME NOT NULL,
    "end_dt" DATETIME NOT NULL,
    "notification_sent" BOOLEAN NOT NULL,
    "state" SMALLINT NOT NULL,
    "rejection_reason" VARCHAR,
    PRIMARY KEY ("reservation_id", "start_dt"),
    FOREIGN KEY ("reservation_id") REFERENCES "roombooking_reservations" ("id")
);

CREATE TABLE "roombooking_reservations" (
    "id" INTEGER NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "start_dt" DATETIME NOT NULL,
    "end_dt" DATETIME NOT NULL,
    "repeat_frequency" SMALLINT NOT NULL,
    "repeat_interval" SMALLINT NOT NULL,
    "booked_for_id" INTEGER,
    "booked_for_name" VARCHAR NOT NULL,
    "created_by_id" INTEGER,
    "room_id" INTEGER NOT NULL,
    "state" SMALLINT NOT NULL,
    "booking_reason" TEXT NOT NULL,
    "rejection_reason" VARCHAR,
    "link_id" INTEGER,
    "end_notification_sent" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("booked_for_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("link_id") REFERENCES "roombooking_reservation_links" ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id")
);

CREATE TABLE "roombooking_room_attribute_values" (
    "attribute_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "value" JSON,
    PRIMARY KEY ("attribute_id", "room_id"),
    FOREIGN KEY ("attribute_id") REFERENCES "roombooking_room_attributes" ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id")
);

CREATE TABLE "roombooking_room_attributes" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "title" VARCHAR NOT NULL,
    "is_hidden" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "roombooking_room_bookable_hours" (
    "start_time" TIME NOT NULL,
    "end_time" TIME NOT NULL,
    "room_id" INTEGER NOT NULL,
    PRIMARY KEY ("start_time", "end_time", "room_id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id")
);

CREATE TABLE "roombooking_room_equipment" (
    "equipment_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    PRIMARY KEY ("equipment_id", "room_id"),
    FOREIGN KEY ("equipment_id") REFERENCES "roombooking_equipment_types" ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id")
);

CREATE TABLE "roombooking_room_nonbookable_periods" (
    "start_dt" DATETIME NOT NULL,
    "end_dt" DATETIME NOT NULL,
    "room_id" INTEGER NOT NULL,
    PRIMARY KEY ("start_dt", "end_dt", "room_id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id")
);

CREATE TABLE "roombooking_room_principals" (
    "read_access" BOOLEAN NOT NULL,
    "full_access" BOOLEAN NOT NULL,
    "permissions" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "user_id" INTEGER,
    "local_group_id" INTEGER,
    "mp_group_provider" VARCHAR,
    "mp_group_name" VARCHAR,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("local_group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("room_id") REFERENCES "roombooking_rooms" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "roombooking_rooms" (
    "id" INTEGER NOT NULL,
    "location_id" INTEGER NOT NULL,
    "photo_id" INTEGER,
    "verbose_name" VARCHAR,
    "site" VARCHAR,
    "division" VARCHAR NOT NULL,
    "building" VARCHAR NOT NULL,
    "floor" VARCHAR NOT NULL,
    "number" VARCHAR NOT NULL,
    "notification_emails" TEXT NOT NULL,
    "notification_before_days" INTEGER,
    "notification_before_days_weekly" INTEGER,
    "notification_before_days_monthly" INTEGER,
    "end_notification_daily" INTEGER,
    "end_notification_weekly" INTEGER,
    "end_notification_monthly" INTEGER,
    "reservations_need_confirmation" BOOLEAN NOT NULL,
    "notifications_enabled" BOOLEAN NOT NULL,
    "end_notifications_enabled" BOOLEAN NOT NULL,
    "telephone" VARCHAR NOT NULL,
    "key_location" VARCHAR NOT NULL,
    "capacity" INTEGER,
    "surface_area" INTEGER,
    "longitude" DOUBLE,
    "latitude" DOUBLE,
    "comments" VARCHAR NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "is_reservable" BOOLEAN NOT NULL,
    "max_advance_days" INTEGER,
    "booking_limit_days" INTEGER,
    "protection_mode" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("id", "location_id"),
    FOREIGN KEY ("location_id") REFERENCES "roombooking_locations" ("id"),
    FOREIGN KEY ("owner_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("photo_id") REFERENCES "roombooking_photos" ("id")
);

CREATE TABLE "users" (
    "id" INTEGER NOT NULL,
    "first_name" VARCHAR NOT NULL,
    "last_name" VARCHAR NOT NULL,
    "title" SMALLINT NOT NULL,
    "affiliation" VARCHAR NOT NULL,
    "affiliation_id" INTEGER,
    "phone" VARCHAR NOT NULL,
    "address" TEXT NOT NULL,
    "merged_into_id" INTEGER,
    "is_system" BOOLEAN NOT NULL,
    "is_admin" BOOLEAN NOT NULL,
    "is_blocked" BOOLEAN NOT NULL,
    "is_pending" BOOLEAN NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "signing_secret" CHAR(32) NOT NULL,
    "picture" BLOB,
    "picture_metadata" JSON NOT NULL,
    "picture_source" SMALLINT NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("affiliation_id") REFERENCES "indico_affiliations" ("id"),
    FOREIGN KEY ("merged_into_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_api_keys" (
    "id" INTEGER NOT NULL,
    "token" CHAR(32) NOT NULL,
    "secret" CHAR(32) NOT NULL,
    "user_id" INTEGER NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "is_blocked" BOOLEAN NOT NULL,
    "is_persistent_allowed" BOOLEAN NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "last_used_dt" DATETIME,
    "last_used_ip" TEXT,
    "last_used_uri" VARCHAR,
    "last_used_auth" BOOLEAN,
    "use_count" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("token"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_emails" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "email" VARCHAR NOT NULL,
    "is_primary" BOOLEAN NOT NULL,
    "is_user_deleted" BOOLEAN NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_favorite_categories" (
    "user_id" INTEGER NOT NULL,
    "target_id" INTEGER NOT NULL,
    PRIMARY KEY ("user_id", "target_id"),
    FOREIGN KEY ("target_id") REFERENCES "categories" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_favorite_events" (
    "user_id" INTEGER NOT NULL,
    "target_id" INTEGER NOT NULL,
    PRIMARY KEY ("user_id", "target_id"),
    FOREIGN KEY ("target_id") REFERENCES "events" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_favorite_users" (
    "user_id" INTEGER NOT NULL,
    "target_id" INTEGER NOT NULL,
    PRIMARY KEY ("user_id", "target_id"),
    FOREIGN KEY ("target_id") REFERENCES "users" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_group_members" (
    "group_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("group_id", "user_id"),
    FOREIGN KEY ("group_id") REFERENCES "users_groups" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_groups" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    PRIMARY KEY ("id")
);

CREATE TABLE "users_identities" (
    "id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "provider" VARCHAR NOT NULL,
    "identifier" VARCHAR NOT NULL,
    "multipass_data" JSON NOT NULL,
    "data" JSON NOT NULL,
    "password_hash" VARCHAR,
    "last_login_dt" DATETIME,
    "last_login_ip" TEXT,
    PRIMARY KEY ("id"),
    UNIQUE ("provider", "identifier"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_registration_requests" (
    "id" INTEGER NOT NULL,
    "comment" TEXT NOT NULL,
    "email" VARCHAR NOT NULL,
    "extra_emails" TEXT NOT NULL,
    "user_data" JSON NOT NULL,
    "identity_data" JSON NOT NULL,
    "settings" JSON NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("email")
);

CREATE TABLE "users_settings" (
    "id" INTEGER NOT NULL,
    "module" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "value" JSON NOT NULL,
    "user_id" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("user_id", "module", "name"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_suggested_categories" (
    "user_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    "is_ignored" BOOLEAN NOT NULL,
    "score" DOUBLE NOT NULL,
    PRIMARY KEY ("user_id", "category_id"),
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);

CREATE TABLE "users_tokens" (
    "id" INTEGER NOT NULL,
    "access_token_hash" VARCHAR NOT NULL,
    "scopes" TEXT NOT NULL,
    "created_dt" DATETIME NOT NULL,
    "last_used_dt" DATETIME,
    "last_used_ip" TEXT,
    "use_count" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "revoked_dt" DATETIME,
    PRIMARY KEY ("id"),
    UNIQUE ("access_token_hash"),
    FOREIGN KEY ("user_id") REFERENCES "users" ("id")
);
