CREATE TABLE "account_account" (
    "id" INTEGER NOT NULL,
    "closed" BOOLEAN,
    "code" VARCHAR,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit_type" INTEGER,
    "debit_type" INTEGER,
    "end_date" DATE,
    "general_ledger_balance" BOOLEAN,
    "left" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "note" TEXT,
    "parent" INTEGER,
    "party_required" BOOLEAN,
    "reconcile" BOOLEAN,
    "replaced_by" INTEGER,
    "right" INTEGER NOT NULL,
    "second_currency" INTEGER,
    "start_date" DATE,
    "template" INTEGER,
    "template_override" BOOLEAN,
    "type" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("credit_type") REFERENCES "account_account_type" ("id"),
    FOREIGN KEY ("debit_type") REFERENCES "account_account_type" ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("replaced_by") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("second_currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("template") REFERENCES "account_account_template" ("id"),
    FOREIGN KEY ("type") REFERENCES "account_account_type" ("id")
);

CREATE TABLE "account_account-account_tax" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "tax" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "account_account_deferral" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "amount_second_currency" NUMERIC NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit" NUMERIC NOT NULL,
    "debit" NUMERIC NOT NULL,
    "fiscalyear" INTEGER NOT NULL,
    "line_count" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("account", "fiscalyear"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("fiscalyear") REFERENCES "account_fiscalyear" ("id")
);

CREATE TABLE "account_account_template" (
    "id" INTEGER NOT NULL,
    "closed" BOOLEAN,
    "code" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit_type" INTEGER,
    "debit_type" INTEGER,
    "end_date" DATE,
    "general_ledger_balance" BOOLEAN,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "party_required" BOOLEAN,
    "reconcile" BOOLEAN,
    "replaced_by" INTEGER,
    "start_date" DATE,
    "type" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("credit_type") REFERENCES "account_account_type_template" ("id"),
    FOREIGN KEY ("debit_type") REFERENCES "account_account_type_template" ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_account_template" ("id"),
    FOREIGN KEY ("replaced_by") REFERENCES "account_account_template" ("id"),
    FOREIGN KEY ("type") REFERENCES "account_account_type_template" ("id")
);

CREATE TABLE "account_account_template-account_tax_template" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "tax" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account_template" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax_template" ("id")
);

CREATE TABLE "account_account_type" (
    "id" INTEGER NOT NULL,
    "assets" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "debt" BOOLEAN,
    "expense" BOOLEAN,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "payable" BOOLEAN,
    "receivable" BOOLEAN,
    "revenue" BOOLEAN,
    "sequence" INTEGER,
    "statement" VARCHAR,
    "stock" BOOLEAN,
    "template" INTEGER,
    "template_override" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "fixed_asset" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_account_type" ("id"),
    FOREIGN KEY ("template") REFERENCES "account_account_type_template" ("id")
);

CREATE TABLE "account_account_type_template" (
    "id" INTEGER NOT NULL,
    "assets" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "debt" BOOLEAN,
    "expense" BOOLEAN,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "payable" BOOLEAN,
    "receivable" BOOLEAN,
    "revenue" BOOLEAN,
    "sequence" INTEGER,
    "statement" VARCHAR,
    "stock" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "fixed_asset" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_account_type_template" ("id")
);

CREATE TABLE "account_asset" (
    "id" INTEGER NOT NULL,
    "account_journal" INTEGER NOT NULL,
    "comment" TEXT,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "depreciated_amount" NUMERIC NOT NULL,
    "depreciation_method" VARCHAR NOT NULL,
    "end_date" DATE NOT NULL,
    "frequency" VARCHAR NOT NULL,
    "move" INTEGER,
    "number" VARCHAR,
    "product" INTEGER NOT NULL,
    "purchase_date" DATE NOT NULL,
    "quantity" DOUBLE,
    "residual_value" NUMERIC NOT NULL,
    "start_date" DATE NOT NULL,
    "state" VARCHAR,
    "supplier_invoice_line" INTEGER,
    "unit" INTEGER,
    "value" NUMERIC NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("supplier_invoice_line"),
    FOREIGN KEY ("account_journal") REFERENCES "account_journal" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("supplier_invoice_line") REFERENCES "account_invoice_line" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "account_asset-update-account_move" (
    "id" INTEGER NOT NULL,
    "asset" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "move" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("asset") REFERENCES "account_asset" ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move" ("id")
);

CREATE TABLE "account_asset_line" (
    "id" INTEGER NOT NULL,
    "accumulated_depreciation" NUMERIC,
    "acquired_value" NUMERIC,
    "actual_value" NUMERIC,
    "asset" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE,
    "depreciable_basis" NUMERIC,
    "depreciation" NUMERIC NOT NULL,
    "move" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("asset") REFERENCES "account_asset" ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move" ("id")
);

CREATE TABLE "account_asset_revision" (
    "id" INTEGER NOT NULL,
    "asset" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" VARCHAR,
    "end_date" DATE NOT NULL,
    "origin" VARCHAR,
    "residual_value" NUMERIC NOT NULL,
    "value" NUMERIC NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("asset", "origin"),
    FOREIGN KEY ("asset") REFERENCES "account_asset" ("id")
);

CREATE TABLE "account_budget" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "fiscalyear" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("fiscalyear") REFERENCES "account_fiscalyear" ("id")
);

CREATE TABLE "account_budget_line" (
    "id" INTEGER NOT NULL,
    "account" INTEGER,
    "account_type" INTEGER,
    "amount" NUMERIC,
    "budget" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "left" INTEGER NOT NULL,
    "name" VARCHAR,
    "parent" INTEGER,
    "right" INTEGER NOT NULL,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("budget", "account"),
    UNIQUE ("budget", "account_type"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("account_type") REFERENCES "account_account_type" ("id"),
    FOREIGN KEY ("budget") REFERENCES "account_budget" ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_budget_line" ("id")
);

CREATE TABLE "account_budget_line_period" (
    "id" INTEGER NOT NULL,
    "budget_line" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "period" INTEGER NOT NULL,
    "ratio" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("budget_line", "period"),
    FOREIGN KEY ("budget_line") REFERENCES "account_budget_line" ("id"),
    FOREIGN KEY ("period") REFERENCES "account_period" ("id")
);

CREATE TABLE "account_configuration" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "account_configuration_asset_date" (
    "id" INTEGER NOT NULL,
    "asset_bymonth" VARCHAR,
    "asset_bymonthday" VARCHAR,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "account_configuration_asset_frequency" (
    "id" INTEGER NOT NULL,
    "asset_frequency" VARCHAR NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "account_configuration_asset_sequence" (
    "id" INTEGER NOT NULL,
    "asset_sequence" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("asset_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "account_configuration_default_account" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency_exchange_credit_account" INTEGER,
    "currency_exchange_debit_account" INTEGER,
    "default_account_payable" INTEGER,
    "default_account_receivable" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "default_category_account_expense" INTEGER,
    "default_category_account_revenue" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency_exchange_credit_account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("currency_exchange_debit_account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("default_account_payable") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("default_account_receivable") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("default_category_account_expense") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("default_category_account_revenue") REFERENCES "account_account" ("id")
);

CREATE TABLE "account_configuration_default_dunning_procedure" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default_dunning_procedure" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("default_dunning_procedure") REFERENCES "account_dunning_procedure" ("id")
);

CREATE TABLE "account_configuration_default_payment_term" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default_customer_payment_term" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("default_customer_payment_term") REFERENCES "account_invoice_payment_term" ("id")
);

CREATE TABLE "account_configuration_default_tax_rule" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default_customer_tax_rule" INTEGER,
    "default_supplier_tax_rule" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("default_customer_tax_rule") REFERENCES "account_tax_rule" ("id"),
    FOREIGN KEY ("default_supplier_tax_rule") REFERENCES "account_tax_rule" ("id")
);

CREATE TABLE "account_configuration_journal" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency_exchange_journal" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency_exchange_journal") REFERENCES "account_journal" ("id")
);

CREATE TABLE "account_configuration_payment_group_sequence" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "payment_group_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("payment_group_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "account_configuration_payment_reference" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer_payment_reference_number" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "account_configuration_payment_sequence" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "payment_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("payment_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "account_configuration_sequence" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "reconciliation_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("reconciliation_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "account_configuration_tax_rounding" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "configuration" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "tax_rounding" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("configuration") REFERENCES "account_configuration" ("id")
);

CREATE TABLE "account_dunning" (
    "id" INTEGER NOT NULL,
    "blocked" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE,
    "level" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "procedure" INTEGER NOT NULL,
    "state" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("line"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("level") REFERENCES "account_dunning_level" ("id"),
    FOREIGN KEY ("line") REFERENCES "account_move_line" ("id"),
    FOREIGN KEY ("procedure") REFERENCES "account_dunning_procedure" ("id")
);

CREATE TABLE "account_dunning_level" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "overdue" DATETIME,
    "procedure" INTEGER NOT NULL,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("procedure") REFERENCES "account_dunning_procedure" ("id")
);

CREATE TABLE "account_dunning_procedure" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "account_fiscalyear" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "end_date" DATE NOT NULL,
    "move_sequence" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "start_date" DATE NOT NULL,
    "state" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("move_sequence"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("move_sequence") REFERENCES "ir_sequence_strict" ("id")
);

CREATE TABLE "account_fiscalyear_invoice_sequence" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "fiscalyear" INTEGER NOT NULL,
    "in_credit_note_sequence" INTEGER NOT NULL,
    "in_invoice_sequence" INTEGER NOT NULL,
    "out_credit_note_sequence" INTEGER NOT NULL,
    "out_invoice_sequence" INTEGER NOT NULL,
    "period" INTEGER,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("fiscalyear") REFERENCES "account_fiscalyear" ("id"),
    FOREIGN KEY ("in_credit_note_sequence") REFERENCES "ir_sequence_strict" ("id"),
    FOREIGN KEY ("in_invoice_sequence") REFERENCES "ir_sequence_strict" ("id"),
    FOREIGN KEY ("out_credit_note_sequence") REFERENCES "ir_sequence_strict" ("id"),
    FOREIGN KEY ("out_invoice_sequence") REFERENCES "ir_sequence_strict" ("id"),
    FOREIGN KEY ("period") REFERENCES "account_period" ("id")
);

CREATE TABLE "account_invoice" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "accounting_date" DATE,
    "cancel_move" INTEGER,
    "comment" TEXT,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "description" VARCHAR,
    "invoice_address" INTEGER NOT NULL,
    "invoice_date" DATE,
    "invoice_report_cache" BLOB,
    "invoice_report_cache_id" VARCHAR,
    "invoice_report_format" VARCHAR,
    "journal" INTEGER,
    "move" INTEGER,
    "number" VARCHAR,
    "number_alnum" VARCHAR,
    "number_digit" BIGINT,
    "party" INTEGER NOT NULL,
    "party_tax_identifier" INTEGER,
    "payment_term" INTEGER,
    "payment_term_date" DATE,
    "posted_by" INTEGER,
    "reference" VARCHAR,
    "sequence" INTEGER,
    "sequence_type_cache" VARCHAR,
    "source_tax_amount" NUMERIC,
    "source_total_amount" NUMERIC,
    "source_untaxed_amount" NUMERIC,
    "state" VARCHAR,
    "supplier_payment_reference" VARCHAR,
    "supplier_payment_reference_type" VARCHAR,
    "tax_amount_cache" NUMERIC,
    "tax_identifier" INTEGER,
    "total_amount_cache" NUMERIC,
    "type" VARCHAR NOT NULL,
    "untaxed_amount_cache" NUMERIC,
    "validated_by" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "payment_direct_debit" BOOLEAN,
    "agent" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("agent") REFERENCES "commission_agent" ("id"),
    FOREIGN KEY ("cancel_move") REFERENCES "account_move" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("invoice_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_journal" ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("party_tax_identifier") REFERENCES "party_identifier" ("id"),
    FOREIGN KEY ("payment_term") REFERENCES "account_invoice_payment_term" ("id"),
    FOREIGN KEY ("posted_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("tax_identifier") REFERENCES "party_identifier" ("id"),
    FOREIGN KEY ("validated_by") REFERENCES "company_employee" ("id")
);

CREATE TABLE "account_invoice-account_move_line" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("line"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("line") REFERENCES "account_move_line" ("id")
);

CREATE TABLE "account_invoice-additional-account_move" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice" INTEGER NOT NULL,
    "move" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move" ("id")
);

CREATE TABLE "account_invoice_alternative_payee" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice" INTEGER NOT NULL,
    "party" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "account_invoice_line" (
    "id" INTEGER NOT NULL,
    "account" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "description" TEXT,
    "invoice" INTEGER,
    "invoice_type" VARCHAR,
    "note" TEXT,
    "origin" VARCHAR,
    "party" INTEGER,
    "product" INTEGER,
    "quantity" DOUBLE,
    "sequence" INTEGER,
    "taxes_date" DATE,
    "taxes_deductible_rate" NUMERIC,
    "type" VARCHAR NOT NULL,
    "unit" INTEGER,
    "unit_price" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "correction" BOOLEAN,
    "asset" INTEGER,
    "principal" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("asset"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("asset") REFERENCES "account_asset" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("principal") REFERENCES "commission_agent" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "account_invoice_line-account_tax" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "line" INTEGER NOT NULL,
    "tax" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("line", "tax"),
    FOREIGN KEY ("line") REFERENCES "account_invoice_line" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "account_invoice_line-stock_move" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice_line" INTEGER NOT NULL,
    "stock_move" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice_line") REFERENCES "account_invoice_line" ("id"),
    FOREIGN KEY ("stock_move") REFERENCES "stock_move" ("id")
);

CREATE TABLE "account_invoice_payment_mean" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "instrument" VARCHAR NOT NULL,
    "invoice" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id")
);

CREATE TABLE "account_invoice_payment_mean_rule" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER,
    "instrument" VARCHAR NOT NULL,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id")
);

CREATE TABLE "account_invoice_payment_method" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit_account" INTEGER NOT NULL,
    "debit_account" INTEGER NOT NULL,
    "journal" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("credit_account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("debit_account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_journal" ("id")
);

CREATE TABLE "account_invoice_payment_term" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "account_invoice_payment_term_line" (
    "id" INTEGER NOT NULL,
    "amount" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER,
    "divisor" NUMERIC,
    "payment" INTEGER NOT NULL,
    "ratio" NUMERIC,
    "sequence" INTEGER,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("payment") REFERENCES "account_invoice_payment_term" ("id")
);

CREATE TABLE "account_invoice_payment_term_line_delta" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "day" INTEGER,
    "days" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "month" INTEGER,
    "months" INTEGER NOT NULL,
    "sequence" INTEGER,
    "weekday" INTEGER,
    "weeks" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("line") REFERENCES "account_invoice_payment_term_line" ("id"),
    FOREIGN KEY ("month") REFERENCES "ir_calendar_month" ("id"),
    FOREIGN KEY ("weekday") REFERENCES "ir_calendar_day" ("id")
);

CREATE TABLE "account_invoice_report_revision" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATETIME NOT NULL,
    "invoice" INTEGER NOT NULL,
    "invoice_report_cache" BLOB,
    "invoice_report_cache_id" VARCHAR,
    "invoice_report_format" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id")
);

CREATE TABLE "account_invoice_tax" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "amount" NUMERIC NOT NULL,
    "base" NUMERIC NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" VARCHAR NOT NULL,
    "invoice" INTEGER NOT NULL,
    "legal_notice" TEXT,
    "manual" BOOLEAN,
    "sequence" INTEGER,
    "tax" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "account_journal" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "matching_sequence" INTEGER,
    "name" VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "account_journal_period" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "journal" INTEGER NOT NULL,
    "period" INTEGER NOT NULL,
    "state" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("journal", "period"),
    FOREIGN KEY ("journal") REFERENCES "account_journal" ("id"),
    FOREIGN KEY ("period") REFERENCES "account_period" ("id")
);

CREATE TABLE "account_move" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "description" VARCHAR,
    "journal" INTEGER NOT NULL,
    "number" VARCHAR,
    "origin" VARCHAR,
    "period" INTEGER NOT NULL,
    "post_date" DATE,
    "state" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_journal" ("id"),
    FOREIGN KEY ("period") REFERENCES "account_period" ("id")
);

CREATE TABLE "account_move_line" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "amount_second_currency" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit" NUMERIC NOT NULL,
    "debit" NUMERIC NOT NULL,
    "description" VARCHAR,
    "maturity_date" DATE,
    "move" INTEGER NOT NULL,
    "origin" VARCHAR,
    "party" INTEGER,
    "reconciliation" INTEGER,
    "second_currency" INTEGER,
    "state" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "analytic_state" VARCHAR,
    "payment_amount_cache" NUMERIC,
    "payment_blocked" BOOLEAN,
    "payment_direct_debit" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("reconciliation") REFERENCES "account_move_reconciliation" ("id"),
    FOREIGN KEY ("second_currency") REFERENCES "currency_currency" ("id")
);

CREATE TABLE "account_move_line_template" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "amount" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" VARCHAR,
    "move" INTEGER NOT NULL,
    "operation" VARCHAR NOT NULL,
    "party" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move_template" ("id")
);

CREATE TABLE "account_move_reconcile_write_off" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit_account" INTEGER NOT NULL,
    "debit_account" INTEGER NOT NULL,
    "journal" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("credit_account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("debit_account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_journal" ("id")
);

CREATE TABLE "account_move_reconciliation" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "delegate_to" INTEGER,
    "number" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("delegate_to") REFERENCES "account_move_line" ("id")
);

CREATE TABLE "account_move_template" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" VARCHAR,
    "journal" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_journal" ("id")
);

CREATE TABLE "account_move_template_keyword" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "digits" INTEGER,
    "move" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "required" BOOLEAN,
    "sequence" INTEGER,
    "string" VARCHAR NOT NULL,
    "type_" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move_template" ("id")
);

CREATE TABLE "account_payment" (
    "id" INTEGER NOT NULL,
    "amount" NUMERIC NOT NULL,
    "approved_by" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "failed_by" INTEGER,
    "group" INTEGER,
    "journal" INTEGER NOT NULL,
    "kind" VARCHAR NOT NULL,
    "line" INTEGER,
    "number" VARCHAR NOT NULL,
    "origin" VARCHAR,
    "party" INTEGER NOT NULL,
    "reference" VARCHAR,
    "reference_type" VARCHAR,
    "state" VARCHAR,
    "submitted_by" INTEGER,
    "succeeded_by" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("approved_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("failed_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("group") REFERENCES "account_payment_group" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_payment_journal" ("id"),
    FOREIGN KEY ("line") REFERENCES "account_move_line" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("submitted_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("succeeded_by") REFERENCES "company_employee" ("id")
);

CREATE TABLE "account_payment_group" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "journal" INTEGER NOT NULL,
    "kind" VARCHAR NOT NULL,
    "number" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_payment_journal" ("id")
);

CREATE TABLE "account_payment_journal" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "process_method" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id")
);

CREATE TABLE "account_period" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "end_date" DATE NOT NULL,
    "fiscalyear" INTEGER NOT NULL,
    "move_sequence" INTEGER,
    "name" VARCHAR NOT NULL,
    "start_date" DATE NOT NULL,
    "state" VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("fiscalyear") REFERENCES "account_fiscalyear" ("id"),
    FOREIGN KEY ("move_sequence") REFERENCES "ir_sequence_strict" ("id")
);

CREATE TABLE "account_statement" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "end_balance" NUMERIC,
    "journal" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "number_of_lines" INTEGER,
    "origin_file" BLOB,
    "origin_file_id" VARCHAR,
    "start_balance" NUMERIC,
    "state" VARCHAR,
    "total_amount" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_statement_journal" ("id")
);

CREATE TABLE "account_statement_import_csv" (
    "id" INTEGER NOT NULL,
    "account_column" INTEGER,
    "amount_column" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date_column" INTEGER NOT NULL,
    "date_format" VARCHAR NOT NULL,
    "decimal_point" VARCHAR NOT NULL,
    "delimiter" VARCHAR(1) NOT NULL,
    "description_column" INTEGER,
    "encoding" VARCHAR NOT NULL,
    "lines_to_skip" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "number_column" INTEGER,
    "party_column" INTEGER,
    "quotechar" VARCHAR(1),
    "thousands_sep" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "account_statement_journal" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "active" BOOLEAN,
    "bank_account" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "journal" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "validation" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("bank_account", "company"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("bank_account") REFERENCES "bank_account" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_journal" ("id")
);

CREATE TABLE "account_statement_line" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "amount" NUMERIC NOT NULL,
    "amount_second_currency" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "description" VARCHAR,
    "move" INTEGER,
    "number" VARCHAR,
    "origin" INTEGER,
    "party" INTEGER,
    "related_to" VARCHAR,
    "second_currency" INTEGER,
    "sequence" INTEGER,
    "statement" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("move") REFERENCES "account_move" ("id"),
    FOREIGN KEY ("origin") REFERENCES "account_statement_origin" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("second_currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("statement") REFERENCES "account_statement" ("id")
);

CREATE TABLE "account_statement_origin" (
    "id" INTEGER NOT NULL,
    "account" INTEGER,
    "amount" NUMERIC NOT NULL,
    "amount_second_currency" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "description" VARCHAR,
    "information" JSON,
    "number" VARCHAR,
    "party" INTEGER,
    "second_currency" INTEGER,
    "statement" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("second_currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("statement") REFERENCES "account_statement" ("id")
);

CREATE TABLE "account_statement_origin_information" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "digits" INTEGER,
    "domain" VARCHAR,
    "help" TEXT,
    "help_selection" TEXT,
    "name" VARCHAR NOT NULL,
    "selection" TEXT,
    "selection_sorted" BOOLEAN,
    "string" VARCHAR NOT NULL,
    "type_" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "account_tax" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "amount" NUMERIC,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit_note_account" INTEGER,
    "description" VARCHAR NOT NULL,
    "end_date" DATE,
    "group" INTEGER,
    "invoice_account" INTEGER,
    "legal_notice" TEXT,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "rate" NUMERIC,
    "sequence" INTEGER,
    "start_date" DATE,
    "template" INTEGER,
    "template_override" BOOLEAN,
    "type" VARCHAR NOT NULL,
    "update_unit_price" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("credit_note_account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("group") REFERENCES "account_tax_group" ("id"),
    FOREIGN KEY ("invoice_account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_tax" ("id"),
    FOREIGN KEY ("template") REFERENCES "account_tax_template" ("id")
);

CREATE TABLE "account_tax_code" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "end_date" DATE,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "start_date" DATE,
    "template" INTEGER,
    "template_override" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_tax_code" ("id"),
    FOREIGN KEY ("template") REFERENCES "account_tax_code_template" ("id")
);

CREATE TABLE "account_tax_code_line" (
    "id" INTEGER NOT NULL,
    "amount" VARCHAR NOT NULL,
    "code" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "operator" VARCHAR NOT NULL,
    "tax" INTEGER NOT NULL,
    "template" INTEGER,
    "template_override" BOOLEAN,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("code") REFERENCES "account_tax_code" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id"),
    FOREIGN KEY ("template") REFERENCES "account_tax_code_line_template" ("id")
);

CREATE TABLE "account_tax_code_line_template" (
    "id" INTEGER NOT NULL,
    "amount" VARCHAR NOT NULL,
    "code" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "operator" VARCHAR NOT NULL,
    "tax" INTEGER NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("code") REFERENCES "account_tax_code_template" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax_template" ("id")
);

CREATE TABLE "account_tax_code_template" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "code" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "end_date" DATE,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "start_date" DATE,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account_template" ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_tax_code_template" ("id")
);

CREATE TABLE "account_tax_group" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "kind" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "account_tax_line" (
    "id" INTEGER NOT NULL,
    "amount" NUMERIC NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "move_line" INTEGER NOT NULL,
    "tax" INTEGER NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("move_line") REFERENCES "account_move_line" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "account_tax_line_template" (
    "id" INTEGER NOT NULL,
    "amount" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "line" INTEGER NOT NULL,
    "tax" INTEGER,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("line") REFERENCES "account_move_line_template" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "account_tax_rule" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "kind" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "template" INTEGER,
    "template_override" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("template") REFERENCES "account_tax_rule_template" ("id")
);

CREATE TABLE "account_tax_rule_line" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "end_date" DATE,
    "group" INTEGER,
    "keep_origin" BOOLEAN,
    "origin_tax" INTEGER,
    "rule" INTEGER NOT NULL,
    "sequence" INTEGER,
    "start_date" DATE,
    "tax" INTEGER,
    "template" INTEGER,
    "template_override" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group") REFERENCES "account_tax_group" ("id"),
    FOREIGN KEY ("origin_tax") REFERENCES "account_tax" ("id"),
    FOREIGN KEY ("rule") REFERENCES "account_tax_rule" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id"),
    FOREIGN KEY ("template") REFERENCES "account_tax_rule_line_template" ("id")
);

CREATE TABLE "account_tax_rule_line_template" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "end_date" DATE,
    "group" INTEGER,
    "keep_origin" BOOLEAN,
    "origin_tax" INTEGER,
    "rule" INTEGER NOT NULL,
    "sequence" INTEGER,
    "start_date" DATE,
    "tax" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group") REFERENCES "account_tax_group" ("id"),
    FOREIGN KEY ("origin_tax") REFERENCES "account_tax_template" ("id"),
    FOREIGN KEY ("rule") REFERENCES "account_tax_rule_template" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax_template" ("id")
);

CREATE TABLE "account_tax_rule_template" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "kind" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account_template" ("id")
);

CREATE TABLE "account_tax_template" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "active" BOOLEAN,
    "amount" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit_note_account" INTEGER,
    "description" VARCHAR NOT NULL,
    "end_date" DATE,
    "group" INTEGER,
    "invoice_account" INTEGER,
    "legal_notice" TEXT,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "rate" NUMERIC,
    "sequence" INTEGER,
    "start_date" DATE,
    "type" VARCHAR NOT NULL,
    "update_unit_price" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account_template" ("id"),
    FOREIGN KEY ("credit_note_account") REFERENCES "account_account_template" ("id"),
    FOREIGN KEY ("group") REFERENCES "account_tax_group" ("id"),
    FOREIGN KEY ("invoice_account") REFERENCES "account_account_template" ("id"),
    FOREIGN KEY ("parent") REFERENCES "account_tax_template" ("id")
);

CREATE TABLE "analytic_account_account" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "note" TEXT,
    "parent" INTEGER,
    "root" INTEGER,
    "state" VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("parent") REFERENCES "analytic_account_account" ("id"),
    FOREIGN KEY ("root") REFERENCES "analytic_account_account" ("id")
);

CREATE TABLE "analytic_account_account_distribution" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "parent" INTEGER NOT NULL,
    "ratio" NUMERIC NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "analytic_account_account" ("id"),
    FOREIGN KEY ("parent") REFERENCES "analytic_account_account" ("id")
);

CREATE TABLE "analytic_account_entry" (
    "id" INTEGER NOT NULL,
    "account" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "origin" VARCHAR,
    "root" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("origin", "root"),
    FOREIGN KEY ("account") REFERENCES "analytic_account_account" ("id"),
    FOREIGN KEY ("root") REFERENCES "analytic_account_account" ("id")
);

CREATE TABLE "analytic_account_line" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "credit" NUMERIC NOT NULL,
    "date" DATE NOT NULL,
    "debit" NUMERIC NOT NULL,
    "move_line" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "analytic_account_account" ("id"),
    FOREIGN KEY ("move_line") REFERENCES "account_move_line" ("id")
);

CREATE TABLE "analytic_account_rule" (
    "id" INTEGER NOT NULL,
    "account" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "journal" INTEGER,
    "party" INTEGER,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "product" INTEGER,
    "product_category" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_journal" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("product_category") REFERENCES "product_category" ("id")
);

CREATE TABLE "attendance_line" (
    "id" INTEGER NOT NULL,
    "at" DATETIME NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "employee" INTEGER NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("employee") REFERENCES "company_employee" ("id")
);

CREATE TABLE "attendance_period" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "ends_at" DATETIME NOT NULL,
    "state" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "bank" (
    "id" INTEGER NOT NULL,
    "bic" VARCHAR(11),
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "bank_account" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "bank" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER,
    "owners_sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("bank") REFERENCES "bank" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id")
);

CREATE TABLE "bank_account-party_party" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "owner" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "bank_account" ("id"),
    FOREIGN KEY ("owner") REFERENCES "party_party" ("id")
);

CREATE TABLE "bank_account_number" (
    "id" INTEGER NOT NULL,
    "account" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "number" VARCHAR NOT NULL,
    "number_compact" VARCHAR,
    "sequence" INTEGER,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account") REFERENCES "bank_account" ("id")
);

CREATE TABLE "carrier" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "carrier_cost_method" VARCHAR NOT NULL,
    "carrier_product" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "shipment_cost_allocation_method" VARCHAR NOT NULL,
    "mode" VARCHAR,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("carrier_product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "carrier_selection" (
    "id" INTEGER NOT NULL,
    "carrier" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "from_country" INTEGER,
    "sequence" INTEGER,
    "to_country" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("carrier") REFERENCES "carrier" ("id"),
    FOREIGN KEY ("from_country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("to_country") REFERENCES "country_country" ("id")
);

CREATE TABLE "commission" (
    "id" INTEGER NOT NULL,
    "agent" INTEGER NOT NULL,
    "amount" NUMERIC NOT NULL,
    "base_amount" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE,
    "invoice_line" INTEGER,
    "origin" VARCHAR,
    "product" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("agent") REFERENCES "commission_agent" ("id"),
    FOREIGN KEY ("invoice_line") REFERENCES "account_invoice_line" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "commission_agent" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "party" INTEGER NOT NULL,
    "plan" INTEGER,
    "type_" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("plan") REFERENCES "commission_plan" ("id")
);

CREATE TABLE "commission_agent_selection" (
    "id" INTEGER NOT NULL,
    "agent" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "employee" INTEGER,
    "end_date" DATE,
    "party" INTEGER,
    "sequence" INTEGER,
    "start_date" DATE,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("agent") REFERENCES "commission_agent" ("id"),
    FOREIGN KEY ("employee") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "commission_plan" (
    "id" INTEGER NOT NULL,
    "commission_method" VARCHAR,
    "commission_product" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("commission_product") REFERENCES "product_product" ("id")
);

CREATE TABLE "commission_plan_line" (
    "id" INTEGER NOT NULL,
    "category" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "formula" VARCHAR NOT NULL,
    "plan" INTEGER NOT NULL,
    "product" INTEGER,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("plan") REFERENCES "commission_plan" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "company_company" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "footer" TEXT,
    "header" TEXT,
    "logo" BLOB,
    "party" INTEGER NOT NULL,
    "timezone" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "hours_per_work_day" DOUBLE,
    "hours_per_work_month" DOUBLE,
    "hours_per_work_week" DOUBLE,
    "hours_per_work_year" DOUBLE,
    "cancel_invoice_out" BOOLEAN,
    "purchase_taxes_expense" BOOLEAN,
    PRIMARY KEY ("id"),
    UNIQUE ("party"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "company_company_logo_cache" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "height" INTEGER NOT NULL,
    "image" BLOB,
    "width" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("company", "width", "height"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "company_company_tax_identifier" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "country" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "organization" INTEGER,
    "sequence" INTEGER,
    "tax_identifier" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("organization") REFERENCES "country_organization" ("id"),
    FOREIGN KEY ("tax_identifier") REFERENCES "party_identifier" ("id")
);

CREATE TABLE "company_employee" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "end_date" DATE,
    "party" INTEGER NOT NULL,
    "start_date" DATE,
    "supervisor" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("supervisor") REFERENCES "company_employee" ("id")
);

CREATE TABLE "company_employee_cost_price" (
    "id" INTEGER NOT NULL,
    "cost_price" NUMERIC NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "employee" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("employee", "date", "cost_price"),
    FOREIGN KEY ("employee") REFERENCES "company_employee" ("id")
);

CREATE TABLE "country_country" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR(2),
    "code3" VARCHAR(3),
    "code_numeric" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "region" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("region") REFERENCES "country_region" ("id")
);

CREATE TABLE "country_organization" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "country_organization_member" (
    "id" INTEGER NOT NULL,
    "country" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "from_date" DATE,
    "organization" INTEGER NOT NULL,
    "to_date" DATE,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("organization") REFERENCES "country_organization" ("id")
);

CREATE TABLE "country_postal_code" (
    "id" INTEGER NOT NULL,
    "city" VARCHAR,
    "country" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "postal_code" VARCHAR,
    "subdivision" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("subdivision") REFERENCES "country_subdivision" ("id")
);

CREATE TABLE "country_region" (
    "id" INTEGER NOT NULL,
    "code_numeric" VARCHAR(3),
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent") REFERENCES "country_region" ("id")
);

CREATE TABLE "country_subdivision" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR,
    "country" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "type" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("parent") REFERENCES "country_subdivision" ("id")
);

CREATE TABLE "currency_cron" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "day" INTEGER,
    "frequency" VARCHAR NOT NULL,
    "last_update" DATE NOT NULL,
    "source" VARCHAR NOT NULL,
    "weekday" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("weekday") REFERENCES "ir_calendar_day" ("id")
);

CREATE TABLE "currency_cron-currency_currency" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "cron" INTEGER NOT NULL,
    "currency" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cron") REFERENCES "currency_cron" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id")
);

CREATE TABLE "currency_currency" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR(3) NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "digits" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "numeric_code" VARCHAR(3),
    "rounding" NUMERIC NOT NULL,
    "symbol" VARCHAR(10),
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "currency_currency_rate" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "rate" NUMERIC NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("date", "currency"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id")
);

CREATE TABLE "customs_agent" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "address" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER NOT NULL,
    "tax_identifier" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("tax_identifier") REFERENCES "party_identifier" ("id")
);

CREATE TABLE "customs_agent_selection" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "agent" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "from_country" INTEGER,
    "sequence" INTEGER,
    "to_country" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("agent") REFERENCES "customs_agent" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("from_country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("to_country") REFERENCES "country_country" ("id")
);

CREATE TABLE "customs_duty_rate" (
    "id" INTEGER NOT NULL,
    "amount" NUMERIC,
    "computation_type" VARCHAR,
    "country" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER,
    "end_date" DATE,
    "organization" INTEGER,
    "start_date" DATE,
    "tariff_code" INTEGER NOT NULL,
    "type" VARCHAR,
    "uom" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("organization") REFERENCES "country_organization" ("id"),
    FOREIGN KEY ("tariff_code") REFERENCES "customs_tariff_code" ("id"),
    FOREIGN KEY ("uom") REFERENCES "product_uom" ("id")
);

CREATE TABLE "customs_tariff_code" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR NOT NULL,
    "country" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" VARCHAR,
    "end_day" INTEGER,
    "end_month" INTEGER,
    "organization" INTEGER,
    "start_day" INTEGER,
    "start_month" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("end_month") REFERENCES "ir_calendar_month" ("id"),
    FOREIGN KEY ("organization") REFERENCES "country_organization" ("id"),
    FOREIGN KEY ("start_month") REFERENCES "ir_calendar_month" ("id")
);

CREATE TABLE "incoterm_incoterm" (
    "id" INTEGER NOT NULL,
    "carrier" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "export_duties" VARCHAR NOT NULL,
    "import_duties" VARCHAR NOT NULL,
    "location" BOOLEAN,
    "mode" VARCHAR,
    "name" VARCHAR NOT NULL,
    "risk" VARCHAR NOT NULL,
    "version" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "incoterm_incoterm-company_company" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "incoterm" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id")
);

CREATE TABLE "ir_action" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "icon" INTEGER,
    "name" VARCHAR NOT NULL,
    "records" VARCHAR,
    "type" VARCHAR NOT NULL,
    "usage" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("icon") REFERENCES "ir_ui_icon" ("id")
);

CREATE TABLE "ir_action-res_group" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "group" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id")
);

CREATE TABLE "ir_action_act_window" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "context" VARCHAR,
    "context_domain" VARCHAR,
    "context_model" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "domain" VARCHAR,
    "limit" INTEGER,
    "order" VARCHAR,
    "res_model" VARCHAR,
    "search_value" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id"),
    FOREIGN KEY ("context_model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("res_model") REFERENCES "ir_model" ("name")
);

CREATE TABLE "ir_action_act_window_domain" (
    "id" INTEGER NOT NULL,
    "act_window" INTEGER NOT NULL,
    "active" BOOLEAN,
    "count" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "domain" VARCHAR,
    "name" VARCHAR,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("act_window") REFERENCES "ir_action_act_window" ("id")
);

CREATE TABLE "ir_action_act_window_view" (
    "id" INTEGER NOT NULL,
    "act_window" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "sequence" INTEGER,
    "view" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("act_window") REFERENCES "ir_action_act_window" ("id"),
    FOREIGN KEY ("view") REFERENCES "ir_ui_view" ("id")
);

CREATE TABLE "ir_action_keyword" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "keyword" VARCHAR NOT NULL,
    "model" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id")
);

CREATE TABLE "ir_action_report" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "direct_print" BOOLEAN,
    "extension" VARCHAR,
    "model" VARCHAR,
    "module" VARCHAR,
    "record_name" VARCHAR,
    "report" VARCHAR,
    "report_content_custom" BLOB,
    "report_name" VARCHAR NOT NULL,
    "single" BOOLEAN,
    "template_extension" VARCHAR NOT NULL,
    "translatable" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("module") REFERENCES "ir_module" ("name")
);

CREATE TABLE "ir_action_url" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "url" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id")
);

CREATE TABLE "ir_action_wizard" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "model" VARCHAR,
    "window" BOOLEAN,
    "wiz_name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name")
);

CREATE TABLE "ir_attachment" (
    "id" INTEGER NOT NULL,
    "copy_to_resources" JSON,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "data" BLOB,
    "description" TEXT,
    "file_id" VARCHAR,
    "link" VARCHAR,
    "name" VARCHAR NOT NULL,
    "resource" VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_avatar" (
    "id" INTEGER NOT NULL,
    "copy_to_resources" JSON,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "image" BLOB,
    "image_id" VARCHAR,
    "resource" VARCHAR NOT NULL,
    "uuid" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("resource")
);

CREATE TABLE "ir_avatar_cache" (
    "id" INTEGER NOT NULL,
    "avatar" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "image" BLOB,
    "image_id" VARCHAR,
    "size" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("avatar", "size"),
    FOREIGN KEY ("avatar") REFERENCES "ir_avatar" ("id")
);

CREATE TABLE "ir_cache" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "timestamp" DATETIME,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    UNIQUE ("name")
);

CREATE TABLE "ir_calendar_day" (
    "id" INTEGER NOT NULL,
    "abbreviation" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "index" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("index")
);

CREATE TABLE "ir_calendar_month" (
    "id" INTEGER NOT NULL,
    "abbreviation" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "index" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("index")
);

CREATE TABLE "ir_chat_channel" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "identifier" VARCHAR,
    "resource" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("identifier"),
    UNIQUE ("resource")
);

CREATE TABLE "ir_chat_follower" (
    "id" INTEGER NOT NULL,
    "channel" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "email" VARCHAR,
    "user" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("channel", "email"),
    UNIQUE ("channel", "user"),
    FOREIGN KEY ("channel") REFERENCES "ir_chat_channel" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_chat_message" (
    "id" INTEGER NOT NULL,
    "audience" VARCHAR NOT NULL,
    "channel" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "email" VARCHAR,
    "reference" VARCHAR,
    "user" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("channel") REFERENCES "ir_chat_channel" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_configuration" (
    "id" INTEGER NOT NULL,
    "series" VARCHAR,
    "language" VARCHAR,
    "hostname" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "product_price_decimal" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_cron" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "day" INTEGER,
    "hour" INTEGER,
    "interval_number" INTEGER NOT NULL,
    "interval_type" VARCHAR NOT NULL,
    "method" VARCHAR NOT NULL,
    "minute" INTEGER,
    "next_call" DATETIME,
    "weekday" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("weekday") REFERENCES "ir_calendar_day" ("id")
);

CREATE TABLE "ir_cron-company_company" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "cron" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("cron") REFERENCES "ir_cron" ("id")
);

CREATE TABLE "ir_cron_log" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "cron" INTEGER NOT NULL,
    "ended" DATETIME NOT NULL,
    "started" DATETIME NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cron") REFERENCES "ir_cron" ("id")
);

CREATE TABLE "ir_email" (
    "id" INTEGER NOT NULL,
    "body" TEXT,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "message_id" VARCHAR,
    "recipients" VARCHAR,
    "recipients_hidden" VARCHAR,
    "recipients_secondary" VARCHAR,
    "resource" VARCHAR NOT NULL,
    "subject" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_email_address" (
    "id" INTEGER NOT NULL,
    "address" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "email" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("email") REFERENCES "ir_email" ("id")
);

CREATE TABLE "ir_email_template" (
    "id" INTEGER NOT NULL,
    "body" TEXT,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "model" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "recipients" INTEGER,
    "recipients_hidden" INTEGER,
    "recipients_hidden_pyson" VARCHAR,
    "recipients_pyson" VARCHAR,
    "recipients_secondary" INTEGER,
    "recipients_secondary_pyson" VARCHAR,
    "subject" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "contact_mechanism" VARCHAR,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("id"),
    FOREIGN KEY ("recipients") REFERENCES "ir_model_field" ("id"),
    FOREIGN KEY ("recipients_hidden") REFERENCES "ir_model_field" ("id"),
    FOREIGN KEY ("recipients_secondary") REFERENCES "ir_model_field" ("id")
);

CREATE TABLE "ir_email_template-ir_action_report" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "report" INTEGER NOT NULL,
    "template" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("report") REFERENCES "ir_action_report" ("id"),
    FOREIGN KEY ("template") REFERENCES "ir_email_template" ("id")
);

CREATE TABLE "ir_error" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "message" TEXT,
    "origin" VARCHAR,
    "processed_by" INTEGER,
    "solved_by" INTEGER,
    "state" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("processed_by") REFERENCES "res_user" ("id"),
    FOREIGN KEY ("solved_by") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_export" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "header" BOOLEAN,
    "ignore_search_limit" BOOLEAN,
    "name" VARCHAR,
    "records" VARCHAR,
    "resource" VARCHAR,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_export-res_group" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "export" INTEGER NOT NULL,
    "group" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("export") REFERENCES "ir_export" ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id")
);

CREATE TABLE "ir_export-write-res_group" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "export" INTEGER NOT NULL,
    "group" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("export") REFERENCES "ir_export" ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id")
);

CREATE TABLE "ir_export_line" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "export" INTEGER NOT NULL,
    "name" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("export") REFERENCES "ir_export" ("id")
);

CREATE TABLE "ir_filestore_queue" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "field" VARCHAR NOT NULL,
    "file_id" VARCHAR NOT NULL,
    "model" VARCHAR NOT NULL,
    "prefix" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("field", "model") REFERENCES "ir_model_field" ("name", "model"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name")
);

CREATE TABLE "ir_lang" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "code" VARCHAR NOT NULL,
    "translatable" BOOLEAN,
    "parent" VARCHAR,
    "active" BOOLEAN,
    "direction" VARCHAR NOT NULL,
    "am" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" VARCHAR NOT NULL,
    "decimal_point" VARCHAR NOT NULL,
    "grouping" VARCHAR NOT NULL,
    "mon_decimal_point" VARCHAR NOT NULL,
    "mon_grouping" VARCHAR NOT NULL,
    "mon_thousands_sep" VARCHAR,
    "n_cs_precedes" BOOLEAN,
    "n_sep_by_space" BOOLEAN,
    "n_sign_posn" INTEGER NOT NULL,
    "negative_sign" VARCHAR,
    "nplurals" INTEGER NOT NULL,
    "p_cs_precedes" BOOLEAN,
    "p_sep_by_space" BOOLEAN,
    "p_sign_posn" INTEGER NOT NULL,
    "pg_text_search" VARCHAR,
    "plural" VARCHAR NOT NULL,
    "pm" VARCHAR,
    "positive_sign" VARCHAR,
    "thousands_sep" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("code")
);

CREATE TABLE "ir_message" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "text" TEXT NOT NULL,
    "text_plural" TEXT,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_model" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "string" VARCHAR,
    "info" TEXT,
    "module" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "global_search_p" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("module") REFERENCES "ir_module" ("name")
);

CREATE TABLE "ir_model_access" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "group" INTEGER,
    "model" VARCHAR NOT NULL,
    "perm_create" BOOLEAN,
    "perm_delete" BOOLEAN,
    "perm_read" BOOLEAN,
    "perm_write" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name")
);

CREATE TABLE "ir_model_button" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "confirm" TEXT,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "help" TEXT,
    "model" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "string" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name")
);

CREATE TABLE "ir_model_button-button_reset" (
    "id" INTEGER NOT NULL,
    "button" INTEGER NOT NULL,
    "button_ruled" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("button") REFERENCES "ir_model_button" ("id"),
    FOREIGN KEY ("button_ruled") REFERENCES "ir_model_button" ("id")
);

CREATE TABLE "ir_model_button-res_group" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "button" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "group" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("button") REFERENCES "ir_model_button" ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id")
);

CREATE TABLE "ir_model_button_click" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "button" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "record_id" INTEGER NOT NULL,
    "user" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("button") REFERENCES "ir_model_button" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_model_button_rule" (
    "id" INTEGER NOT NULL,
    "button" INTEGER NOT NULL,
    "condition" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" VARCHAR,
    "group" INTEGER,
    "number_user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("button") REFERENCES "ir_model_button" ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id")
);

CREATE TABLE "ir_model_data" (
    "id" INTEGER NOT NULL,
    "fs_id" VARCHAR NOT NULL,
    "model" VARCHAR NOT NULL,
    "module" VARCHAR NOT NULL,
    "db_id" INTEGER,
    "noupdate" BOOLEAN,
    "field_names" JSON,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("db_id", "model"),
    UNIQUE ("fs_id", "module"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("module") REFERENCES "ir_module" ("name")
);

CREATE TABLE "ir_model_field" (
    "id" INTEGER NOT NULL,
    "model" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "relation" VARCHAR,
    "string" VARCHAR,
    "ttype" VARCHAR,
    "help" TEXT,
    "module" VARCHAR,
    "access" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("name", "model"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("module") REFERENCES "ir_module" ("name"),
    FOREIGN KEY ("relation") REFERENCES "ir_model" ("name")
);

CREATE TABLE "ir_model_field_access" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "field" VARCHAR NOT NULL,
    "group" INTEGER,
    "model" VARCHAR NOT NULL,
    "perm_create" BOOLEAN,
    "perm_delete" BOOLEAN,
    "perm_read" BOOLEAN,
    "perm_write" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("field", "model") REFERENCES "ir_model_field" ("name", "model"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name")
);

CREATE TABLE "ir_model_log" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "event" VARCHAR NOT NULL,
    "resource" VARCHAR,
    "target" VARCHAR,
    "user" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_module" (
    "id" INTEGER NOT NULL,
    "create_uid" INTEGER,
    "create_date" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "state" VARCHAR,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("create_uid") REFERENCES "res_user" ("id"),
    FOREIGN KEY ("write_uid") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_module_config_wizard_item" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "sequence" INTEGER,
    "state" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id")
);

CREATE TABLE "ir_module_dependency" (
    "id" INTEGER NOT NULL,
    "create_uid" INTEGER,
    "create_date" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "name" VARCHAR,
    "module" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    UNIQUE ("name", "module"),
    FOREIGN KEY ("create_uid") REFERENCES "res_user" ("id"),
    FOREIGN KEY ("module") REFERENCES "ir_module" ("id"),
    FOREIGN KEY ("write_uid") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_note" (
    "id" INTEGER NOT NULL,
    "copy_to_resources" JSON,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "message" TEXT,
    "resource" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_note_read" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "note" INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("note") REFERENCES "ir_note" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_queue" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "data" JSON,
    "dequeued_at" DATETIME,
    "enqueued_at" DATETIME NOT NULL,
    "expected_at" DATETIME,
    "finished_at" DATETIME,
    "name" VARCHAR NOT NULL,
    "scheduled_at" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_rule" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "domain" VARCHAR NOT NULL,
    "rule_group" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("rule_group") REFERENCES "ir_rule_group" ("id")
);

CREATE TABLE "ir_rule_group" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default_p" BOOLEAN,
    "global_p" BOOLEAN,
    "model" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "perm_create" BOOLEAN,
    "perm_delete" BOOLEAN,
    "perm_read" BOOLEAN,
    "perm_write" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name")
);

CREATE TABLE "ir_rule_group-res_group" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "group" INTEGER NOT NULL,
    "rule_group" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id"),
    FOREIGN KEY ("rule_group") REFERENCES "ir_rule_group" ("id")
);

CREATE TABLE "ir_sequence" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "last_timestamp" INTEGER,
    "name" VARCHAR NOT NULL,
    "number_increment" INTEGER,
    "number_next_internal" INTEGER,
    "padding" INTEGER,
    "prefix" VARCHAR,
    "sequence_type" INTEGER NOT NULL,
    "suffix" VARCHAR,
    "timestamp_offset" DOUBLE NOT NULL,
    "timestamp_rounding" DOUBLE NOT NULL,
    "type" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "company" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("sequence_type") REFERENCES "ir_sequence_type" ("id")
);

CREATE TABLE "ir_sequence_strict" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "last_timestamp" INTEGER,
    "name" VARCHAR NOT NULL,
    "number_increment" INTEGER,
    "number_next_internal" INTEGER,
    "padding" INTEGER,
    "prefix" VARCHAR,
    "sequence_type" INTEGER NOT NULL,
    "suffix" VARCHAR,
    "timestamp_offset" DOUBLE NOT NULL,
    "timestamp_rounding" DOUBLE NOT NULL,
    "type" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "company" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("sequence_type") REFERENCES "ir_sequence_type" ("id")
);

CREATE TABLE "ir_sequence_type" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_sequence_type-res_group" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "group" INTEGER NOT NULL,
    "sequence_type" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id"),
    FOREIGN KEY ("sequence_type") REFERENCES "ir_sequence_type" ("id")
);

CREATE TABLE "ir_session" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "ip_address" VARCHAR,
    "key" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_session_wizard" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "data" TEXT,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "ir_translation" (
    "id" INTEGER NOT NULL,
    "lang" VARCHAR,
    "src" TEXT,
    "name" VARCHAR NOT NULL,
    "res_id" INTEGER,
    "value" TEXT,
    "type" VARCHAR NOT NULL,
    "module" VARCHAR,
    "fuzzy" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "overriding_module" VARCHAR,
    "src_plural" TEXT,
    "value_1" TEXT,
    "value_2" TEXT,
    "value_3" TEXT,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("module") REFERENCES "ir_module" ("name"),
    FOREIGN KEY ("overriding_module") REFERENCES "ir_module" ("name")
);

CREATE TABLE "ir_trigger" (
    "id" INTEGER NOT NULL,
    "action" VARCHAR NOT NULL,
    "active" BOOLEAN,
    "condition" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "limit_number" INTEGER NOT NULL,
    "minimum_time_delay" DATETIME,
    "model" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "on_create_" BOOLEAN,
    "on_delete_" BOOLEAN,
    "on_time_" BOOLEAN,
    "on_write_" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("id")
);

CREATE TABLE "ir_trigger_log" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "record_id" INTEGER NOT NULL,
    "trigger" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("trigger") REFERENCES "ir_trigger" ("id")
);

CREATE TABLE "ir_ui_icon" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "module" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "path" VARCHAR NOT NULL,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("module") REFERENCES "ir_module" ("name")
);

CREATE TABLE "ir_ui_menu" (
    "id" INTEGER NOT NULL,
    "parent" INTEGER,
    "name" VARCHAR NOT NULL,
    "icon" VARCHAR,
    "active" BOOLEAN,
    "administration" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent") REFERENCES "ir_ui_menu" ("id")
);

CREATE TABLE "ir_ui_menu-res_group" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "group" INTEGER NOT NULL,
    "menu" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id"),
    FOREIGN KEY ("menu") REFERENCES "ir_ui_menu" ("id")
);

CREATE TABLE "ir_ui_menu_favorite" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "menu" INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("menu") REFERENCES "ir_ui_menu" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_ui_view" (
    "id" INTEGER NOT NULL,
    "model" VARCHAR,
    "type" VARCHAR,
    "data" TEXT,
    "field_childs" VARCHAR,
    "priority" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "domain" VARCHAR,
    "inherit" INTEGER,
    "module" VARCHAR,
    "name" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("field_childs", "model") REFERENCES "ir_model_field" ("name", "model"),
    FOREIGN KEY ("inherit") REFERENCES "ir_ui_view" ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("module") REFERENCES "ir_module" ("name")
);

CREATE TABLE "ir_ui_view_search" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "domain" VARCHAR,
    "model" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "user" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_ui_view_tree_optional" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "field" VARCHAR NOT NULL,
    "model" VARCHAR NOT NULL,
    "occurrence" INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    "value" BOOLEAN,
    "view" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("view", "field", "occurrence", "user"),
    FOREIGN KEY ("field", "model") REFERENCES "ir_model_field" ("name", "model"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id"),
    FOREIGN KEY ("view") REFERENCES "ir_ui_view" ("id")
);

CREATE TABLE "ir_ui_view_tree_state" (
    "id" INTEGER NOT NULL,
    "child_name" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "domain" VARCHAR NOT NULL,
    "model" VARCHAR NOT NULL,
    "nodes" TEXT,
    "selected_nodes" TEXT,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("child_name", "model") REFERENCES "ir_model_field" ("name", "model"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "ir_ui_view_tree_width" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "field" VARCHAR NOT NULL,
    "model" VARCHAR NOT NULL,
    "occurrence" INTEGER NOT NULL,
    "screen_width" INTEGER,
    "user" INTEGER NOT NULL,
    "width" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("field", "model") REFERENCES "ir_model_field" ("name", "model"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "marketing_campaign" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "marketing_medium" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "marketing_source" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "party_address" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "attn" VARCHAR,
    "building_name" VARCHAR,
    "building_number" VARCHAR,
    "city" VARCHAR,
    "country" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "floor_number" VARCHAR,
    "party" INTEGER NOT NULL,
    "party_name" VARCHAR,
    "post_box" VARCHAR,
    "post_office" VARCHAR,
    "postal_code" VARCHAR,
    "private_bag" VARCHAR,
    "room_number" VARCHAR,
    "sequence" INTEGER,
    "street_name" VARCHAR,
    "street_unstructured" TEXT,
    "subdivision" INTEGER,
    "unit_number" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "delivery" BOOLEAN,
    "invoice" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("subdivision") REFERENCES "country_subdivision" ("id")
);

CREATE TABLE "party_address_format" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "building_number_format" VARCHAR,
    "country_code" VARCHAR(2),
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "floor_number_format" VARCHAR,
    "format_" TEXT NOT NULL,
    "language_code" VARCHAR(2),
    "post_box_format" VARCHAR,
    "post_office_format" VARCHAR,
    "private_bag_format" VARCHAR,
    "room_number_format" VARCHAR,
    "street_format" TEXT NOT NULL,
    "unit_number_format" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "party_address_subdivision_type" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "country_code" VARCHAR(2) NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "types" JSON,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "party_category" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent") REFERENCES "party_category" ("id")
);

CREATE TABLE "party_configuration" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "identifier_eu_vat_validation_period" DATETIME NOT NULL,
    "identifier_types" JSON,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "party_configuration_party_lang" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party_lang" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "company" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("party_lang") REFERENCES "ir_lang" ("id")
);

CREATE TABLE "party_configuration_party_sequence" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party_sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("party_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "party_contact_mechanism" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "address" INTEGER,
    "comment" TEXT,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR,
    "party" INTEGER NOT NULL,
    "sequence" INTEGER,
    "type" VARCHAR NOT NULL,
    "value" VARCHAR NOT NULL,
    "value_compact" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "delivery" BOOLEAN,
    "invoice" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_contact_mechanism_language" (
    "id" INTEGER NOT NULL,
    "contact_mechanism" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "language" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "company" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("contact_mechanism") REFERENCES "party_contact_mechanism" ("id"),
    FOREIGN KEY ("language") REFERENCES "ir_lang" ("id")
);

CREATE TABLE "party_identifier" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "address" INTEGER,
    "code" VARCHAR NOT NULL,
    "code_compact" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "eu_vat_valid" BOOLEAN,
    "eu_vat_validated_at" DATETIME,
    "party" INTEGER NOT NULL,
    "sequence" INTEGER,
    "type" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_incoterm" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "incoterm" INTEGER NOT NULL,
    "incoterm_location" INTEGER,
    "party" INTEGER NOT NULL,
    "sequence" INTEGER,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("incoterm_location") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR NOT NULL,
    "code_alnum" VARCHAR,
    "code_digit" BIGINT,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR,
    "replaced_by" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("code"),
    FOREIGN KEY ("replaced_by") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party-delivered_to-stock_location" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "location" INTEGER NOT NULL,
    "party" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party-party_category" (
    "id" INTEGER NOT NULL,
    "category" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "party_category" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party_account" (
    "id" INTEGER NOT NULL,
    "account_payable" INTEGER,
    "account_receivable" INTEGER,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer_tax_rule" INTEGER,
    "party" INTEGER,
    "supplier_tax_rule" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account_payable") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("account_receivable") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("customer_tax_rule") REFERENCES "account_tax_rule" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("supplier_tax_rule") REFERENCES "account_tax_rule" ("id")
);

CREATE TABLE "party_party_customer_code" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer_code" VARCHAR,
    "party" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party_customer_currency" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer_currency" INTEGER,
    "party" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("customer_currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party_dunning_procedure" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "dunning_procedure" INTEGER,
    "party" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("dunning_procedure") REFERENCES "account_dunning_procedure" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party_lang" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "lang" INTEGER,
    "party" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "company" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("lang") REFERENCES "ir_lang" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party_location" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer_location" INTEGER,
    "party" INTEGER,
    "supplier_location" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("customer_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("supplier_location") REFERENCES "stock_location" ("id")
);

CREATE TABLE "party_party_payment_direct_debit" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER,
    "payment_direct_debit" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party_payment_term" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer_payment_term" INTEGER,
    "party" INTEGER,
    "supplier_payment_term" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("customer_payment_term") REFERENCES "account_invoice_payment_term" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("supplier_payment_term") REFERENCES "account_invoice_payment_term" ("id")
);

CREATE TABLE "party_party_reception_direct_debit" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "journal" INTEGER NOT NULL,
    "party" INTEGER NOT NULL,
    "sequence" INTEGER,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("journal") REFERENCES "account_payment_journal" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party_sale_method" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER,
    "sale_invoice_method" VARCHAR,
    "sale_shipment_method" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_party_sale_price_list" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER,
    "sale_price_list" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("sale_price_list") REFERENCES "product_price_list" ("id")
);

CREATE TABLE "party_party_supplier_currency" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER,
    "supplier_currency" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("supplier_currency") REFERENCES "currency_currency" ("id")
);

CREATE TABLE "party_party_supplier_lead_time" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER,
    "supplier_lead_time" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id")
);

CREATE TABLE "party_relation" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "end_date" DATE,
    "from_" INTEGER NOT NULL,
    "start_date" DATE,
    "to" INTEGER NOT NULL,
    "type" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("from_") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("to") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("type") REFERENCES "party_relation_type" ("id")
);

CREATE TABLE "party_relation_type" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "reverse" INTEGER,
    "usages" JSON,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("reverse") REFERENCES "party_relation_type" ("id")
);

CREATE TABLE "product-customs_tariff_code" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product" VARCHAR NOT NULL,
    "sequence" INTEGER,
    "tariff_code" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("tariff_code") REFERENCES "customs_tariff_code" ("id")
);

CREATE TABLE "product_attribute" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "digits" INTEGER,
    "domain" VARCHAR,
    "help" TEXT,
    "help_selection" TEXT,
    "name" VARCHAR NOT NULL,
    "selection" TEXT,
    "selection_sorted" BOOLEAN,
    "string" VARCHAR NOT NULL,
    "type_" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("name")
);

CREATE TABLE "product_attribute-product_attribute-set" (
    "id" INTEGER NOT NULL,
    "attribute" INTEGER NOT NULL,
    "attribute_set" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("attribute") REFERENCES "product_attribute" ("id"),
    FOREIGN KEY ("attribute_set") REFERENCES "product_attribute_set" ("id")
);

CREATE TABLE "product_attribute_set" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "product_category" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "customs" BOOLEAN,
    "tariff_codes_parent" BOOLEAN,
    "account_parent" BOOLEAN,
    "accounting" BOOLEAN,
    "supplier_taxes_deductible_rate" NUMERIC,
    "taxes_parent" BOOLEAN,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("parent") REFERENCES "product_category" ("id")
);

CREATE TABLE "product_category-customer-account_tax" (
    "id" INTEGER NOT NULL,
    "category" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "tax" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "product_category-supplier-account_tax" (
    "id" INTEGER NOT NULL,
    "category" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "tax" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "product_category_account" (
    "id" INTEGER NOT NULL,
    "account_expense" INTEGER,
    "account_revenue" INTEGER,
    "category" INTEGER,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "account_asset" INTEGER,
    "account_depreciation" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account_asset") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("account_depreciation") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("account_expense") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("account_revenue") REFERENCES "account_account" ("id"),
    FOREIGN KEY ("category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "product_configuration" (
    "id" INTEGER NOT NULL,
    "category_sequence" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product_sequence" INTEGER,
    "template_sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("product_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("template_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "product_configuration_default_cost_price_method" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default_cost_price_method" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "product_configuration_default_lead_time" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default_lead_time" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "product_configuration_default_lot_sequence" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default_lot_sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("default_lot_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "product_cost_price" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "cost_price" NUMERIC NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "product_cost_price_method" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "cost_price_method" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "template" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("template") REFERENCES "product_template" ("id")
);

CREATE TABLE "product_cost_price_revision" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "cost_price" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "product" INTEGER,
    "template" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("template") REFERENCES "product_template" ("id")
);

CREATE TABLE "product_identifier" (
    "id" INTEGER NOT NULL,
    "code" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product" INTEGER NOT NULL,
    "sequence" INTEGER,
    "type" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "product_lead_time" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "lead_time" DATETIME,
    "template" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("template") REFERENCES "product_template" ("id")
);

CREATE TABLE "product_list_price" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "list_price" NUMERIC,
    "product" INTEGER,
    "template" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("template") REFERENCES "product_template" ("id")
);

CREATE TABLE "product_price_list" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "price" VARCHAR,
    "tax_included" BOOLEAN,
    "unit" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "product_price_list_line" (
    "id" INTEGER NOT NULL,
    "category" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "formula" VARCHAR NOT NULL,
    "price_list" INTEGER NOT NULL,
    "product" INTEGER,
    "quantity" DOUBLE,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("price_list") REFERENCES "product_price_list" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "product_product" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "position" INTEGER,
    "replaced_by" INTEGER,
    "suffix_code" VARCHAR,
    "template" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "attributes" JSON,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("replaced_by") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("template") REFERENCES "product_template" ("id")
);

CREATE TABLE "product_product-production_bom" (
    "id" INTEGER NOT NULL,
    "bom" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product" INTEGER NOT NULL,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "routing" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("bom") REFERENCES "production_bom" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("routing") REFERENCES "production_routing" ("id")
);

CREATE TABLE "product_template" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR,
    "consumable" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default_uom" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "country_of_origin" INTEGER,
    "customs_category" INTEGER,
    "tariff_codes_category" BOOLEAN,
    "classification" VARCHAR,
    "account_category" INTEGER,
    "lot_required" JSON,
    "lot_sequence" INTEGER,
    "producible" BOOLEAN,
    "purchasable" BOOLEAN,
    "purchase_uom" INTEGER,
    "salable" BOOLEAN,
    "sale_uom" INTEGER,
    "depreciable" BOOLEAN,
    "depreciation_duration" INTEGER,
    "attribute_set" INTEGER,
    "web_shop_description" TEXT,
    "supply_on_sale" VARCHAR,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("account_category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("attribute_set") REFERENCES "product_attribute_set" ("id"),
    FOREIGN KEY ("country_of_origin") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("customs_category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("default_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("lot_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("purchase_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("sale_uom") REFERENCES "product_uom" ("id")
);

CREATE TABLE "product_template-commission_agent" (
    "id" INTEGER NOT NULL,
    "agent" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "template" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("agent") REFERENCES "commission_agent" ("id"),
    FOREIGN KEY ("template") REFERENCES "product_template" ("id")
);

CREATE TABLE "product_template-product_category" (
    "id" INTEGER NOT NULL,
    "category" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "template" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("template") REFERENCES "product_template" ("id")
);

CREATE TABLE "product_uom" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "category" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "digits" INTEGER NOT NULL,
    "factor" DOUBLE NOT NULL,
    "name" VARCHAR NOT NULL,
    "rate" DOUBLE NOT NULL,
    "rounding" DOUBLE NOT NULL,
    "symbol" VARCHAR(10) NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "product_uom_category" ("id")
);

CREATE TABLE "product_uom_category" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "production" (
    "id" INTEGER NOT NULL,
    "assigned_by" INTEGER,
    "bom" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "done_by" INTEGER,
    "effective_date" DATE,
    "effective_start_date" DATE,
    "location" INTEGER NOT NULL,
    "number" VARCHAR,
    "origin" VARCHAR,
    "origin_planned_date" DATE,
    "planned_date" DATE,
    "planned_start_date" DATE,
    "product" INTEGER,
    "quantity" DOUBLE,
    "reference" VARCHAR,
    "run_by" INTEGER,
    "state" VARCHAR,
    "type" VARCHAR NOT NULL,
    "unit" INTEGER,
    "warehouse" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "routing" INTEGER,
    "work_center" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assigned_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("bom") REFERENCES "production_bom" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("done_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("routing") REFERENCES "production_routing" ("id"),
    FOREIGN KEY ("run_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("work_center") REFERENCES "production_work_center" ("id")
);

CREATE TABLE "production_bom" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "phantom" BOOLEAN,
    "phantom_quantity" DOUBLE,
    "phantom_unit" INTEGER,
    "tolerance" DOUBLE,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("phantom_unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "production_bom_input" (
    "id" INTEGER NOT NULL,
    "bom" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "phantom_bom" INTEGER,
    "product" INTEGER,
    "quantity" DOUBLE NOT NULL,
    "unit" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("bom") REFERENCES "production_bom" ("id"),
    FOREIGN KEY ("phantom_bom") REFERENCES "production_bom" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "production_bom_output" (
    "id" INTEGER NOT NULL,
    "bom" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "phantom_bom" INTEGER,
    "product" INTEGER,
    "quantity" DOUBLE NOT NULL,
    "unit" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("bom") REFERENCES "production_bom" ("id"),
    FOREIGN KEY ("phantom_bom") REFERENCES "production_bom" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "production_configuration" (
    "id" INTEGER NOT NULL,
    "bom_sequence" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("bom_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "production_configuration_production_sequence" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "production_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("production_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "production_lead_time" (
    "id" INTEGER NOT NULL,
    "bom" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "lead_time" DATETIME,
    "product" INTEGER NOT NULL,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "routing" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("bom") REFERENCES "production_bom" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("routing") REFERENCES "production_routing" ("id")
);

CREATE TABLE "production_routing" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "production_routing-production_bom" (
    "id" INTEGER NOT NULL,
    "bom" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "routing" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("bom") REFERENCES "production_bom" ("id"),
    FOREIGN KEY ("routing") REFERENCES "production_routing" ("id")
);

CREATE TABLE "production_routing_operation" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "work_center_category" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("work_center_category") REFERENCES "production_work_center_category" ("id")
);

CREATE TABLE "production_routing_step" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "operation" INTEGER NOT NULL,
    "routing" INTEGER NOT NULL,
    "sequence" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("operation") REFERENCES "production_routing_operation" ("id"),
    FOREIGN KEY ("routing") REFERENCES "production_routing" ("id")
);

CREATE TABLE "production_work" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "operation" INTEGER NOT NULL,
    "production" INTEGER NOT NULL,
    "sequence" INTEGER,
    "state" VARCHAR,
    "work_center" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("operation") REFERENCES "production_routing_operation" ("id"),
    FOREIGN KEY ("production") REFERENCES "production" ("id"),
    FOREIGN KEY ("work_center") REFERENCES "production_work_center" ("id")
);

CREATE TABLE "production_work_center" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "category" INTEGER,
    "company" INTEGER NOT NULL,
    "cost_method" VARCHAR,
    "cost_price" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "parent" INTEGER,
    "warehouse" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "production_work_center_category" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("parent") REFERENCES "production_work_center" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id")
);

CREATE TABLE "production_work_center_category" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "production_work_cycle" (
    "id" INTEGER NOT NULL,
    "cancelled_by" INTEGER,
    "cost" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "done_by" INTEGER,
    "duration" DATETIME,
    "run_by" INTEGER,
    "state" VARCHAR NOT NULL,
    "work" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("cancelled_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("done_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("run_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("work") REFERENCES "production_work" ("id")
);

CREATE TABLE "project_configuration" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "project_configuration_sequence" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "work_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("work_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "project_work" (
    "id" INTEGER NOT NULL,
    "comment" TEXT,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "effort_duration" DATETIME,
    "name" VARCHAR NOT NULL,
    "number" VARCHAR,
    "origin" VARCHAR,
    "parent" INTEGER,
    "party" INTEGER,
    "party_address" INTEGER,
    "path" VARCHAR,
    "progress" DOUBLE,
    "sequence" INTEGER,
    "status" INTEGER NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "list_price" NUMERIC,
    "product" INTEGER,
    "invoice_line" INTEGER,
    "project_invoice_method" VARCHAR,
    "project_invoice_timesheet_up_to" DATE,
    PRIMARY KEY ("id"),
    UNIQUE ("number"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("invoice_line") REFERENCES "account_invoice_line" ("id"),
    FOREIGN KEY ("parent") REFERENCES "project_work" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("party_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("status") REFERENCES "project_work_status" ("id")
);

CREATE TABLE "project_work_invoiced_progress" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice_line" INTEGER,
    "progress" DOUBLE NOT NULL,
    "work" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice_line") REFERENCES "account_invoice_line" ("id"),
    FOREIGN KEY ("work") REFERENCES "project_work" ("id")
);

CREATE TABLE "project_work_status" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "count" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "default" BOOLEAN,
    "name" VARCHAR NOT NULL,
    "progress" DOUBLE,
    "sequence" INTEGER,
    "types" JSON,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "purchase_configuration" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "purchase_process_after" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "purchase_configuration_purchase_method" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "purchase_invoice_method" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "purchase_configuration_sequence" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "purchase_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "purchase_requisition_sequence" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("purchase_requisition_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("purchase_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "purchase_configuration_supply_period" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "supply_period" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "purchase_line" (
    "id" INTEGER NOT NULL,
    "actual_quantity" DOUBLE,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "delivery_date_edit" BOOLEAN,
    "delivery_date_store" DATE,
    "description" TEXT,
    "note" TEXT,
    "product" INTEGER,
    "product_supplier" INTEGER,
    "purchase" INTEGER NOT NULL,
    "quantity" DOUBLE,
    "quantity_to_invoice" DOUBLE,
    "sequence" INTEGER,
    "type" VARCHAR NOT NULL,
    "unit" INTEGER,
    "unit_price" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "work" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("product_supplier") REFERENCES "purchase_product_supplier" ("id"),
    FOREIGN KEY ("purchase") REFERENCES "purchase_purchase" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("work") REFERENCES "project_work" ("id")
);

CREATE TABLE "purchase_line-account_tax" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "line" INTEGER NOT NULL,
    "tax" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("line", "tax"),
    FOREIGN KEY ("line") REFERENCES "purchase_line" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "purchase_line-ignored-stock_move" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "move" INTEGER NOT NULL,
    "purchase_line" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("move") REFERENCES "stock_move" ("id"),
    FOREIGN KEY ("purchase_line") REFERENCES "purchase_line" ("id")
);

CREATE TABLE "purchase_line-recreated-stock_move" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "move" INTEGER NOT NULL,
    "purchase_line" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("move") REFERENCES "stock_move" ("id"),
    FOREIGN KEY ("purchase_line") REFERENCES "purchase_line" ("id")
);

CREATE TABLE "purchase_product_supplier" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "code" VARCHAR,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "lead_time" DATETIME,
    "name" VARCHAR,
    "party" INTEGER NOT NULL,
    "product" INTEGER,
    "sequence" INTEGER,
    "template" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("template") REFERENCES "product_template" ("id")
);

CREATE TABLE "purchase_product_supplier_price" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product_supplier" INTEGER NOT NULL,
    "quantity" DOUBLE NOT NULL,
    "sequence" INTEGER,
    "unit_price" NUMERIC NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product_supplier") REFERENCES "purchase_product_supplier" ("id")
);

CREATE TABLE "purchase_purchase" (
    "id" INTEGER NOT NULL,
    "comment" TEXT,
    "company" INTEGER NOT NULL,
    "confirmed_by" INTEGER,
    "contact" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "delivery_date" DATE,
    "description" VARCHAR,
    "invoice_address" INTEGER,
    "invoice_method" VARCHAR NOT NULL,
    "invoice_party" INTEGER,
    "invoice_state" VARCHAR NOT NULL,
    "number" VARCHAR,
    "origin" VARCHAR,
    "party" INTEGER NOT NULL,
    "payment_term" INTEGER,
    "purchase_date" DATE,
    "quotation_expire" DATE,
    "quoted_by" INTEGER,
    "reference" VARCHAR,
    "shipment_state" VARCHAR NOT NULL,
    "state" VARCHAR NOT NULL,
    "tax_amount_cache" NUMERIC,
    "to_invoice" BOOLEAN,
    "total_amount_cache" NUMERIC,
    "untaxed_amount_cache" NUMERIC,
    "warehouse" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "incoterm" INTEGER,
    "incoterm_location" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("confirmed_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("contact") REFERENCES "party_contact_mechanism" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("incoterm_location") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("invoice_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("invoice_party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("payment_term") REFERENCES "account_invoice_payment_term" ("id"),
    FOREIGN KEY ("quoted_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id")
);

CREATE TABLE "purchase_purchase-ignored-account_invoice" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice" INTEGER NOT NULL,
    "purchase" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("purchase") REFERENCES "purchase_purchase" ("id")
);

CREATE TABLE "purchase_purchase-recreated-account_invoice" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice" INTEGER NOT NULL,
    "purchase" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("purchase") REFERENCES "purchase_purchase" ("id")
);

CREATE TABLE "purchase_request" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "computed_quantity" DOUBLE,
    "computed_unit" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "exception_ignored" BOOLEAN,
    "origin" VARCHAR,
    "party" INTEGER,
    "product" INTEGER,
    "purchase_date" DATE,
    "purchase_line" INTEGER,
    "purchased_by" INTEGER,
    "quantity" DOUBLE NOT NULL,
    "state" VARCHAR NOT NULL,
    "stock_level" DOUBLE,
    "supply_date" DATE,
    "unit" INTEGER,
    "warehouse" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("computed_unit") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("purchase_line") REFERENCES "purchase_line" ("id"),
    FOREIGN KEY ("purchased_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id")
);

CREATE TABLE "purchase_requisition" (
    "id" INTEGER NOT NULL,
    "approved_by" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER,
    "description" VARCHAR,
    "employee" INTEGER NOT NULL,
    "number" VARCHAR,
    "rejected_by" INTEGER,
    "state" VARCHAR NOT NULL,
    "supply_date" DATE,
    "total_amount_cache" NUMERIC,
    "warehouse" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("approved_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("employee") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("rejected_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id")
);

CREATE TABLE "purchase_requisition_line" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "product" INTEGER,
    "quantity" DOUBLE NOT NULL,
    "requisition" INTEGER NOT NULL,
    "sequence" INTEGER,
    "supplier" INTEGER,
    "unit" INTEGER,
    "unit_price" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("requisition") REFERENCES "purchase_requisition" ("id"),
    FOREIGN KEY ("supplier") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "quality_alert" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "deferred_by" INTEGER,
    "description" TEXT,
    "number" VARCHAR NOT NULL,
    "origin" VARCHAR NOT NULL,
    "processed_by" INTEGER,
    "resolved_by" INTEGER,
    "state" VARCHAR NOT NULL,
    "title" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("deferred_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("processed_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("resolved_by") REFERENCES "company_employee" ("id")
);

CREATE TABLE "quality_configuration" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "quality_configuration_sequence" (
    "id" INTEGER NOT NULL,
    "alert_sequence" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "inspection_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("alert_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("inspection_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "quality_control" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "frequency" DOUBLE NOT NULL,
    "name" VARCHAR NOT NULL,
    "operations" JSON,
    "product" INTEGER,
    "product_category" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("product_category") REFERENCES "product_category" ("id")
);

CREATE TABLE "quality_control_point" (
    "id" INTEGER NOT NULL,
    "control" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "digits" INTEGER,
    "domain" VARCHAR,
    "help" TEXT,
    "help_selection" TEXT,
    "name" VARCHAR NOT NULL,
    "selection" TEXT,
    "selection_sorted" BOOLEAN,
    "string" VARCHAR NOT NULL,
    "tolerance_lower" DOUBLE,
    "tolerance_upper" DOUBLE,
    "type_" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("control", "name"),
    FOREIGN KEY ("control") REFERENCES "quality_control" ("id")
);

CREATE TABLE "quality_inspection" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "control" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "failed_by" INTEGER,
    "number" VARCHAR NOT NULL,
    "origin" VARCHAR,
    "passed_by" INTEGER,
    "points" JSON,
    "processed_at" DATETIME,
    "processed_by" INTEGER,
    "reference" VARCHAR,
    "state" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("control") REFERENCES "quality_control" ("id"),
    FOREIGN KEY ("failed_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("passed_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("processed_by") REFERENCES "company_employee" ("id")
);

CREATE TABLE "res_group" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "parent" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("name"),
    FOREIGN KEY ("parent") REFERENCES "res_group" ("id")
);

CREATE TABLE "res_notification" (
    "id" INTEGER NOT NULL,
    "action" INTEGER,
    "action_value" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" VARCHAR,
    "icon" VARCHAR,
    "label" VARCHAR,
    "model" VARCHAR,
    "records" VARCHAR,
    "unread" BOOLEAN,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id"),
    FOREIGN KEY ("model") REFERENCES "ir_model" ("name"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "res_user" (
    "id" INTEGER NOT NULL,
    "name" VARCHAR,
    "active" BOOLEAN,
    "login" VARCHAR NOT NULL,
    "administrator" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "email" VARCHAR,
    "language" INTEGER,
    "menu" INTEGER,
    "notifications" JSON,
    "password_hash" VARCHAR,
    "password_reset" VARCHAR,
    "password_reset_expire" DATETIME,
    "signature" TEXT,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "company" INTEGER,
    "company_filter" VARCHAR,
    "employee" INTEGER,
    "warehouse" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("login"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("employee") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("language") REFERENCES "ir_lang" ("id"),
    FOREIGN KEY ("menu") REFERENCES "ir_action" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id")
);

CREATE TABLE "res_user-company_company" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "res_user-company_employee" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "employee" INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("employee") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "res_user-ir_action" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "ir_action" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "res_user-res_group" (
    "id" INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    "group" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("group") REFERENCES "res_group" ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "res_user_application" (
    "id" INTEGER NOT NULL,
    "application" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "key" VARCHAR NOT NULL,
    "state" VARCHAR,
    "user" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "res_user_device" (
    "id" INTEGER NOT NULL,
    "cookie" VARCHAR NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "login" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "res_user_login_attempt" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "device_cookie" VARCHAR,
    "ip_address" VARCHAR,
    "ip_network" VARCHAR,
    "login" VARCHAR(512),
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "res_user_warning" (
    "id" INTEGER NOT NULL,
    "always" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("user") REFERENCES "res_user" ("id")
);

CREATE TABLE "sale_complaint" (
    "id" INTEGER NOT NULL,
    "approved_by" INTEGER,
    "cancelled_by" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer" INTEGER NOT NULL,
    "date" DATE,
    "description" TEXT,
    "number" VARCHAR,
    "origin" VARCHAR,
    "reference" VARCHAR,
    "rejected_by" INTEGER,
    "state" VARCHAR NOT NULL,
    "submitted_by" INTEGER,
    "type" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("approved_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("cancelled_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("customer") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("rejected_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("submitted_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("type") REFERENCES "sale_complaint_type" ("id")
);

CREATE TABLE "sale_complaint_action" (
    "id" INTEGER NOT NULL,
    "action" VARCHAR,
    "complaint" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "quantity" DOUBLE,
    "result" VARCHAR,
    "unit_price" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("complaint") REFERENCES "sale_complaint" ("id")
);

CREATE TABLE "sale_complaint_action-account_invoice_line" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "line" INTEGER NOT NULL,
    "quantity" DOUBLE,
    "unit_price" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "sale_complaint_action" ("id"),
    FOREIGN KEY ("line") REFERENCES "account_invoice_line" ("id")
);

CREATE TABLE "sale_complaint_action-sale_line" (
    "id" INTEGER NOT NULL,
    "action" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "line" INTEGER NOT NULL,
    "quantity" DOUBLE,
    "unit_price" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("action") REFERENCES "sale_complaint_action" ("id"),
    FOREIGN KEY ("line") REFERENCES "sale_line" ("id")
);

CREATE TABLE "sale_complaint_type" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "origin" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("origin") REFERENCES "ir_model" ("id")
);

CREATE TABLE "sale_configuration" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "sale_process_after" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "sale_configuration_quotation" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "sale_quotation_validity" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "sale_configuration_sale_method" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "sale_invoice_method" VARCHAR,
    "sale_shipment_method" VARCHAR,
    "sale_wait_shipment" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "sale_configuration_sale_price_list" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "sale_price_list" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("sale_price_list") REFERENCES "product_price_list" ("id")
);

CREATE TABLE "sale_configuration_sequence" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "sale_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "complaint_sequence" INTEGER NOT NULL,
    "sale_opportunity_sequence" INTEGER NOT NULL,
    "subscription_sequence" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("complaint_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("sale_opportunity_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("sale_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("subscription_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "sale_line" (
    "id" INTEGER NOT NULL,
    "actual_quantity" DOUBLE,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "note" TEXT,
    "product" INTEGER,
    "quantity" DOUBLE,
    "quantity_to_invoice" DOUBLE,
    "quantity_to_ship" DOUBLE,
    "sale" INTEGER NOT NULL,
    "sequence" INTEGER,
    "type" VARCHAR NOT NULL,
    "unit" INTEGER,
    "unit_price" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "principal" INTEGER,
    "original_unit_price" NUMERIC,
    "promotion" INTEGER,
    "purchase_request" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("principal") REFERENCES "commission_agent" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("promotion") REFERENCES "sale_promotion" ("id"),
    FOREIGN KEY ("purchase_request") REFERENCES "purchase_request" ("id"),
    FOREIGN KEY ("sale") REFERENCES "sale_sale" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "sale_line-account_tax" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "line" INTEGER NOT NULL,
    "tax" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("line", "tax"),
    FOREIGN KEY ("line") REFERENCES "sale_line" ("id"),
    FOREIGN KEY ("tax") REFERENCES "account_tax" ("id")
);

CREATE TABLE "sale_line-ignored-stock_move" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "move" INTEGER NOT NULL,
    "sale_line" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("move") REFERENCES "stock_move" ("id"),
    FOREIGN KEY ("sale_line") REFERENCES "sale_line" ("id")
);

CREATE TABLE "sale_line-recreated-stock_move" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "move" INTEGER NOT NULL,
    "sale_line" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("move") REFERENCES "stock_move" ("id"),
    FOREIGN KEY ("sale_line") REFERENCES "sale_line" ("id")
);

CREATE TABLE "sale_opportunity" (
    "id" INTEGER NOT NULL,
    "address" INTEGER,
    "amount" NUMERIC,
    "comment" TEXT,
    "company" INTEGER NOT NULL,
    "contact" INTEGER,
    "conversion_probability" DOUBLE NOT NULL,
    "converted_by" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "description" VARCHAR,
    "employee" INTEGER,
    "end_date" DATE,
    "lost_reason" TEXT,
    "number" VARCHAR NOT NULL,
    "party" INTEGER,
    "payment_term" INTEGER,
    "reference" VARCHAR,
    "start_date" DATE NOT NULL,
    "state" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "marketing_campaign" INTEGER,
    "marketing_medium" INTEGER,
    "marketing_source" INTEGER,
    "incoterm" INTEGER,
    "incoterm_location" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("contact") REFERENCES "party_contact_mechanism" ("id"),
    FOREIGN KEY ("converted_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("employee") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("incoterm_location") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("marketing_campaign") REFERENCES "marketing_campaign" ("id"),
    FOREIGN KEY ("marketing_medium") REFERENCES "marketing_medium" ("id"),
    FOREIGN KEY ("marketing_source") REFERENCES "marketing_source" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("payment_term") REFERENCES "account_invoice_payment_term" ("id")
);

CREATE TABLE "sale_opportunity__history" (
    "id" INTEGER,
    "__id" INTEGER NOT NULL,
    "address" INTEGER,
    "amount" NUMERIC,
    "comment" TEXT,
    "company" INTEGER,
    "contact" INTEGER,
    "conversion_probability" DOUBLE,
    "converted_by" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER,
    "description" VARCHAR,
    "employee" INTEGER,
    "end_date" DATE,
    "lost_reason" TEXT,
    "number" VARCHAR,
    "party" INTEGER,
    "payment_term" INTEGER,
    "reference" VARCHAR,
    "start_date" DATE,
    "state" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "marketing_campaign" INTEGER,
    "marketing_medium" INTEGER,
    "marketing_source" INTEGER,
    "incoterm" INTEGER,
    "incoterm_location" INTEGER,
    PRIMARY KEY ("__id")
);

CREATE TABLE "sale_opportunity_line" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "note" TEXT,
    "opportunity" INTEGER NOT NULL,
    "product" INTEGER,
    "quantity" DOUBLE NOT NULL,
    "sequence" INTEGER,
    "unit" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("opportunity") REFERENCES "sale_opportunity" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "sale_opportunity_line__history" (
    "id" INTEGER,
    "__id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "note" TEXT,
    "opportunity" INTEGER,
    "product" INTEGER,
    "quantity" DOUBLE,
    "sequence" INTEGER,
    "unit" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("__id")
);

CREATE TABLE "sale_promotion" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "amount" NUMERIC,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER,
    "end_date" DATE,
    "formula" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "price_list" INTEGER,
    "quantity" DOUBLE,
    "start_date" DATE,
    "unit" INTEGER,
    "untaxed_amount" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("price_list") REFERENCES "product_price_list" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "sale_promotion-product_category" (
    "id" INTEGER NOT NULL,
    "category" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "promotion" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("promotion") REFERENCES "sale_promotion" ("id")
);

CREATE TABLE "sale_promotion-product_product" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product" INTEGER NOT NULL,
    "promotion" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("promotion") REFERENCES "sale_promotion" ("id")
);

CREATE TABLE "sale_sale" (
    "id" INTEGER NOT NULL,
    "comment" TEXT,
    "company" INTEGER NOT NULL,
    "confirmed_by" INTEGER,
    "contact" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "description" VARCHAR,
    "invoice_address" INTEGER,
    "invoice_method" VARCHAR NOT NULL,
    "invoice_party" INTEGER,
    "invoice_state" VARCHAR NOT NULL,
    "number" VARCHAR,
    "origin" VARCHAR,
    "party" INTEGER NOT NULL,
    "payment_term" INTEGER,
    "quotation_date" DATE,
    "quotation_validity" DATETIME,
    "quoted_by" INTEGER,
    "reference" VARCHAR,
    "sale_date" DATE,
    "shipment_address" INTEGER,
    "shipment_method" VARCHAR NOT NULL,
    "shipment_party" INTEGER,
    "shipment_state" VARCHAR NOT NULL,
    "shipping_date" DATE,
    "state" VARCHAR NOT NULL,
    "tax_amount_cache" NUMERIC,
    "to_invoice" BOOLEAN,
    "to_ship" BOOLEAN,
    "total_amount_cache" NUMERIC,
    "untaxed_amount_cache" NUMERIC,
    "warehouse" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "agent" INTEGER,
    "price_list" INTEGER,
    "marketing_campaign" INTEGER,
    "marketing_medium" INTEGER,
    "marketing_source" INTEGER,
    "web_id" VARCHAR,
    "web_shop" INTEGER,
    "incoterm" INTEGER,
    "incoterm_location" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("agent") REFERENCES "commission_agent" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("confirmed_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("contact") REFERENCES "party_contact_mechanism" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("incoterm_location") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("invoice_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("invoice_party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("marketing_campaign") REFERENCES "marketing_campaign" ("id"),
    FOREIGN KEY ("marketing_medium") REFERENCES "marketing_medium" ("id"),
    FOREIGN KEY ("marketing_source") REFERENCES "marketing_source" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("payment_term") REFERENCES "account_invoice_payment_term" ("id"),
    FOREIGN KEY ("price_list") REFERENCES "product_price_list" ("id"),
    FOREIGN KEY ("quoted_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("shipment_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("shipment_party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("web_shop") REFERENCES "web_shop" ("id")
);

CREATE TABLE "sale_sale-ignored-account_invoice" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice" INTEGER NOT NULL,
    "sale" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("sale") REFERENCES "sale_sale" ("id")
);

CREATE TABLE "sale_sale-recreated-account_invoice" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "invoice" INTEGER NOT NULL,
    "sale" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice") REFERENCES "account_invoice" ("id"),
    FOREIGN KEY ("sale") REFERENCES "sale_sale" ("id")
);

CREATE TABLE "sale_subscription" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "contact" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "description" VARCHAR,
    "end_date" DATE,
    "invoice_address" INTEGER,
    "invoice_party" INTEGER,
    "invoice_recurrence" INTEGER NOT NULL,
    "invoice_start_date" DATE,
    "next_invoice_date" DATE,
    "number" VARCHAR,
    "party" INTEGER NOT NULL,
    "payment_term" INTEGER,
    "quoted_by" INTEGER,
    "reference" VARCHAR,
    "run_by" INTEGER,
    "start_date" DATE NOT NULL,
    "state" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("contact") REFERENCES "party_contact_mechanism" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("invoice_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("invoice_party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("invoice_recurrence") REFERENCES "sale_subscription_recurrence_rule_set" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("payment_term") REFERENCES "account_invoice_payment_term" ("id"),
    FOREIGN KEY ("quoted_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("run_by") REFERENCES "company_employee" ("id")
);

CREATE TABLE "sale_subscription_line" (
    "id" INTEGER NOT NULL,
    "consumed_until" DATE,
    "consumption_delay" DATETIME,
    "consumption_recurrence" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "description" TEXT,
    "end_date" DATE,
    "next_consumption_date" DATE,
    "quantity" DOUBLE,
    "sequence" INTEGER,
    "service" INTEGER NOT NULL,
    "start_date" DATE NOT NULL,
    "subscription" INTEGER NOT NULL,
    "unit" INTEGER NOT NULL,
    "unit_price" NUMERIC,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("consumption_recurrence") REFERENCES "sale_subscription_recurrence_rule_set" ("id"),
    FOREIGN KEY ("service") REFERENCES "sale_subscription_service" ("id"),
    FOREIGN KEY ("subscription") REFERENCES "sale_subscription" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "sale_subscription_line_consumption" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "invoice_line" INTEGER,
    "line" INTEGER NOT NULL,
    "quantity" DOUBLE NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice_line") REFERENCES "account_invoice_line" ("id"),
    FOREIGN KEY ("line") REFERENCES "sale_subscription_line" ("id")
);

CREATE TABLE "sale_subscription_recurrence_rule" (
    "id" INTEGER NOT NULL,
    "bymonth" VARCHAR,
    "bymonthday" VARCHAR,
    "bysetpos" VARCHAR,
    "byweekday" VARCHAR,
    "byweekno" VARCHAR,
    "byyearday" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "exclusive" BOOLEAN,
    "freq" VARCHAR NOT NULL,
    "interval" INTEGER NOT NULL,
    "set_" INTEGER NOT NULL,
    "week_start_day" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("set_") REFERENCES "sale_subscription_recurrence_rule_set" ("id"),
    FOREIGN KEY ("week_start_day") REFERENCES "ir_calendar_day" ("id")
);

CREATE TABLE "sale_subscription_recurrence_rule_set" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "sale_subscription_service" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "consumption_delay" DATETIME,
    "consumption_recurrence" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("consumption_recurrence") REFERENCES "sale_subscription_recurrence_rule_set" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "stock_configuration" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "stock_configuration_inventory" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "inventory_cost_thresold" NUMERIC,
    "inventory_quantity_tolerance" DOUBLE,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "stock_configuration_location" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "shipment_internal_transit" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("shipment_internal_transit") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_configuration_period" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "period_closing_delay" DATETIME,
    "period_creation_interval" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "stock_configuration_sequence" (
    "id" INTEGER NOT NULL,
    "company" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "inventory_sequence" INTEGER NOT NULL,
    "shipment_in_return_sequence" INTEGER NOT NULL,
    "shipment_in_sequence" INTEGER NOT NULL,
    "shipment_internal_sequence" INTEGER NOT NULL,
    "shipment_out_return_sequence" INTEGER NOT NULL,
    "shipment_out_sequence" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "package_sequence" INTEGER NOT NULL,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("inventory_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("package_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("shipment_in_return_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("shipment_in_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("shipment_internal_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("shipment_out_return_sequence") REFERENCES "ir_sequence" ("id"),
    FOREIGN KEY ("shipment_out_sequence") REFERENCES "ir_sequence" ("id")
);

CREATE TABLE "stock_forecast" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "destination" INTEGER NOT NULL,
    "from_date" DATE NOT NULL,
    "state" VARCHAR,
    "to_date" DATE NOT NULL,
    "warehouse" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("destination") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_forecast_line" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "forecast" INTEGER NOT NULL,
    "minimal_quantity" DOUBLE NOT NULL,
    "product" INTEGER NOT NULL,
    "quantity" DOUBLE NOT NULL,
    "unit" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("forecast", "product"),
    FOREIGN KEY ("forecast") REFERENCES "stock_forecast" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "stock_inventory" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "empty_quantity" VARCHAR,
    "location" INTEGER NOT NULL,
    "number" VARCHAR,
    "state" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("location") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_inventory_line" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "expected_quantity" DOUBLE NOT NULL,
    "inventory" INTEGER NOT NULL,
    "product" INTEGER NOT NULL,
    "quantity" DOUBLE,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "lot" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("inventory") REFERENCES "stock_inventory" ("id"),
    FOREIGN KEY ("lot") REFERENCES "stock_lot" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "stock_location" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "address" INTEGER,
    "allow_pickup" BOOLEAN,
    "code" VARCHAR,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "flat_childs" BOOLEAN,
    "input_location" INTEGER,
    "left" INTEGER NOT NULL,
    "lost_found_location" INTEGER,
    "name" VARCHAR NOT NULL,
    "output_location" INTEGER,
    "parent" INTEGER,
    "picking_location" INTEGER,
    "right" INTEGER NOT NULL,
    "storage_location" INTEGER,
    "type" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "sequence" INTEGER,
    "production_location" INTEGER,
    "production_output_location" INTEGER,
    "production_picking_location" INTEGER,
    "supplier_return_location" INTEGER,
    "overflowing_location" INTEGER,
    "provisioning_location" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("input_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("lost_found_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("output_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("overflowing_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("parent") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("picking_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("production_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("production_output_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("production_picking_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("provisioning_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("storage_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("supplier_return_location") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_location_lead_time" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "lead_time" DATETIME,
    "sequence" INTEGER,
    "warehouse_from" INTEGER,
    "warehouse_to" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("warehouse_from") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse_to") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_location_waste" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "location" INTEGER NOT NULL,
    "warehouse" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_lot" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "number" VARCHAR NOT NULL,
    "product" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "stock_move" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "cost_price" NUMERIC,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER,
    "effective_date" DATE,
    "from_location" INTEGER NOT NULL,
    "internal_quantity" DOUBLE NOT NULL,
    "origin" VARCHAR,
    "origin_planned_date" DATE,
    "planned_date" DATE,
    "product" INTEGER NOT NULL,
    "product_cost_price" NUMERIC,
    "quantity" DOUBLE NOT NULL,
    "shipment" VARCHAR,
    "state" VARCHAR,
    "to_location" INTEGER NOT NULL,
    "unit" INTEGER NOT NULL,
    "unit_price" NUMERIC,
    "unit_price_updated" BOOLEAN,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "fifo_quantity" DOUBLE NOT NULL,
    "lot" INTEGER,
    "package" INTEGER,
    "shipment_out_cost_price" NUMERIC,
    "production_cost_price_updated" BOOLEAN,
    "production_input" INTEGER,
    "production_output" INTEGER,
    "commission_price" NUMERIC,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("from_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("lot") REFERENCES "stock_lot" ("id"),
    FOREIGN KEY ("package") REFERENCES "stock_package" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("production_input") REFERENCES "production" ("id"),
    FOREIGN KEY ("production_output") REFERENCES "production" ("id"),
    FOREIGN KEY ("to_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("unit") REFERENCES "product_uom" ("id")
);

CREATE TABLE "stock_order_point" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "location" INTEGER NOT NULL,
    "max_quantity" DOUBLE,
    "min_quantity" DOUBLE,
    "overflowing_location" INTEGER,
    "product" INTEGER NOT NULL,
    "provisioning_location" INTEGER,
    "target_quantity" DOUBLE NOT NULL,
    "type" VARCHAR NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("product", "location", "company"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("overflowing_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("provisioning_location") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_package" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "height" DOUBLE,
    "height_uom" INTEGER,
    "length" DOUBLE,
    "length_uom" INTEGER,
    "number" VARCHAR NOT NULL,
    "packaging_volume" DOUBLE,
    "packaging_volume_uom" INTEGER,
    "packaging_weight" DOUBLE,
    "packaging_weight_uom" INTEGER,
    "parent" INTEGER,
    "shipment" VARCHAR,
    "type" INTEGER NOT NULL,
    "width" DOUBLE,
    "width_uom" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("height_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("length_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("packaging_volume_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("packaging_weight_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("parent") REFERENCES "stock_package" ("id"),
    FOREIGN KEY ("type") REFERENCES "stock_package_type" ("id"),
    FOREIGN KEY ("width_uom") REFERENCES "product_uom" ("id")
);

CREATE TABLE "stock_package_type" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "height" DOUBLE,
    "height_uom" INTEGER,
    "length" DOUBLE,
    "length_uom" INTEGER,
    "name" VARCHAR NOT NULL,
    "packaging_volume" DOUBLE,
    "packaging_volume_uom" INTEGER,
    "packaging_weight" DOUBLE,
    "packaging_weight_uom" INTEGER,
    "width" DOUBLE,
    "width_uom" INTEGER,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("height_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("length_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("packaging_volume_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("packaging_weight_uom") REFERENCES "product_uom" ("id"),
    FOREIGN KEY ("width_uom") REFERENCES "product_uom" ("id")
);

CREATE TABLE "stock_period" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "state" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "stock_period_cache" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "internal_quantity" DOUBLE,
    "location" INTEGER NOT NULL,
    "period" INTEGER NOT NULL,
    "product" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("period") REFERENCES "stock_period" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "stock_period_cache_lot" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "internal_quantity" DOUBLE,
    "location" INTEGER NOT NULL,
    "lot" INTEGER,
    "period" INTEGER NOT NULL,
    "product" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("lot") REFERENCES "stock_lot" ("id"),
    FOREIGN KEY ("period") REFERENCES "stock_period" ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id")
);

CREATE TABLE "stock_shipment_in" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "contact_address" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "done_by" INTEGER,
    "effective_date" DATE,
    "number" VARCHAR,
    "origin_planned_date" DATE,
    "planned_date" DATE,
    "received_by" INTEGER,
    "reference" VARCHAR,
    "state" VARCHAR,
    "supplier" INTEGER NOT NULL,
    "warehouse" INTEGER NOT NULL,
    "warehouse_input" INTEGER NOT NULL,
    "warehouse_storage" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "incoterm" INTEGER,
    "incoterm_location" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("contact_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("done_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("incoterm_location") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("received_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("supplier") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse_input") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse_storage") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_shipment_in_return" (
    "id" INTEGER NOT NULL,
    "assigned_by" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "delivery_address" INTEGER,
    "done_by" INTEGER,
    "effective_date" DATE,
    "from_location" INTEGER NOT NULL,
    "number" VARCHAR,
    "origin_planned_date" DATE,
    "planned_date" DATE,
    "reference" VARCHAR,
    "state" VARCHAR,
    "supplier" INTEGER NOT NULL,
    "to_location" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "incoterm" INTEGER,
    "incoterm_location" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assigned_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("delivery_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("done_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("from_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("incoterm_location") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("supplier") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("to_location") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_shipment_internal" (
    "id" INTEGER NOT NULL,
    "assigned_by" INTEGER,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "done_by" INTEGER,
    "effective_date" DATE,
    "effective_start_date" DATE,
    "from_location" INTEGER NOT NULL,
    "internal_transit_location" INTEGER,
    "number" VARCHAR,
    "origin_planned_date" DATE,
    "packed_by" INTEGER,
    "planned_date" DATE,
    "planned_start_date" DATE,
    "reference" VARCHAR,
    "shipped_by" INTEGER,
    "state" VARCHAR,
    "to_location" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("assigned_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("done_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("from_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("internal_transit_location") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("packed_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("shipped_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("to_location") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_shipment_out" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer" INTEGER NOT NULL,
    "delivery_address" INTEGER NOT NULL,
    "done_by" INTEGER,
    "effective_date" DATE,
    "number" VARCHAR,
    "origin_planned_date" DATE,
    "packed_by" INTEGER,
    "picked_by" INTEGER,
    "planned_date" DATE,
    "reference" VARCHAR,
    "shipped_by" INTEGER,
    "state" VARCHAR,
    "warehouse" INTEGER NOT NULL,
    "warehouse_output" INTEGER NOT NULL,
    "warehouse_storage" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "carrier" INTEGER,
    "cost" NUMERIC,
    "cost_currency" INTEGER,
    "cost_edit" BOOLEAN,
    "incoterm" INTEGER,
    "incoterm_location" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("carrier") REFERENCES "carrier" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("cost_currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("customer") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("delivery_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("done_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("incoterm_location") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("packed_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("picked_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("shipped_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse_output") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse_storage") REFERENCES "stock_location" ("id")
);

CREATE TABLE "stock_shipment_out_return" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "contact_address" INTEGER,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "customer" INTEGER NOT NULL,
    "done_by" INTEGER,
    "effective_date" DATE,
    "number" VARCHAR,
    "origin_planned_date" DATE,
    "planned_date" DATE,
    "received_by" INTEGER,
    "reference" VARCHAR,
    "state" VARCHAR,
    "warehouse" INTEGER NOT NULL,
    "warehouse_input" INTEGER NOT NULL,
    "warehouse_storage" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "carrier" INTEGER,
    "cost" NUMERIC,
    "cost_currency" INTEGER,
    "cost_edit" BOOLEAN,
    "incoterm" INTEGER,
    "incoterm_location" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("carrier") REFERENCES "carrier" ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("contact_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("cost_currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("customer") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("done_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("incoterm_location") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("received_by") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse_input") REFERENCES "stock_location" ("id"),
    FOREIGN KEY ("warehouse_storage") REFERENCES "stock_location" ("id")
);

CREATE TABLE "timesheet_line" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "date" DATE NOT NULL,
    "description" VARCHAR,
    "duration" DATETIME NOT NULL,
    "employee" INTEGER NOT NULL,
    "uuid" VARCHAR,
    "work" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "cost_price" NUMERIC NOT NULL,
    "invoice_line" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("uuid"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("employee") REFERENCES "company_employee" ("id"),
    FOREIGN KEY ("invoice_line") REFERENCES "account_invoice_line" ("id"),
    FOREIGN KEY ("work") REFERENCES "timesheet_work" ("id")
);

CREATE TABLE "timesheet_work" (
    "id" INTEGER NOT NULL,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "name" VARCHAR,
    "origin" VARCHAR,
    "timesheet_end_date" DATE,
    "timesheet_start_date" DATE,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("origin", "company"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id")
);

CREATE TABLE "web_shop" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "company" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "currency" INTEGER NOT NULL,
    "guest_party" INTEGER,
    "language" INTEGER,
    "name" VARCHAR NOT NULL,
    "sale_draft_abandon_delay" DATETIME,
    "type" VARCHAR,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "non_sale_price_list" INTEGER,
    "sale_price_list" INTEGER,
    "default_incoterm" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("company") REFERENCES "company_company" ("id"),
    FOREIGN KEY ("currency") REFERENCES "currency_currency" ("id"),
    FOREIGN KEY ("default_incoterm") REFERENCES "incoterm_incoterm" ("id"),
    FOREIGN KEY ("guest_party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("language") REFERENCES "ir_lang" ("id"),
    FOREIGN KEY ("non_sale_price_list") REFERENCES "product_price_list" ("id"),
    FOREIGN KEY ("sale_price_list") REFERENCES "product_price_list" ("id")
);

CREATE TABLE "web_shop-country_country" (
    "id" INTEGER NOT NULL,
    "country" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "shop" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("country") REFERENCES "country_country" ("id"),
    FOREIGN KEY ("shop") REFERENCES "web_shop" ("id")
);

CREATE TABLE "web_shop-product_attribute" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "attribute" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "shop" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("attribute") REFERENCES "product_attribute" ("id"),
    FOREIGN KEY ("shop") REFERENCES "web_shop" ("id")
);

CREATE TABLE "web_shop-product_category" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "category" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "shop" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("category") REFERENCES "product_category" ("id"),
    FOREIGN KEY ("shop") REFERENCES "web_shop" ("id")
);

CREATE TABLE "web_shop-product_product" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "product" INTEGER NOT NULL,
    "shop" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("product") REFERENCES "product_product" ("id"),
    FOREIGN KEY ("shop") REFERENCES "web_shop" ("id")
);

CREATE TABLE "web_shop-stock_location" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "shop" INTEGER NOT NULL,
    "warehouse" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("shop") REFERENCES "web_shop" ("id"),
    FOREIGN KEY ("warehouse") REFERENCES "stock_location" ("id")
);

CREATE TABLE "web_user" (
    "id" INTEGER NOT NULL,
    "active" BOOLEAN,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "email" VARCHAR,
    "email_token" VARCHAR,
    "email_valid" BOOLEAN,
    "party" INTEGER,
    "password_hash" VARCHAR,
    "reset_password_token" VARCHAR,
    "reset_password_token_expire" DATETIME,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    "invoice_address" INTEGER,
    "shipment_address" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("invoice_address") REFERENCES "party_address" ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("shipment_address") REFERENCES "party_address" ("id")
);

CREATE TABLE "web_user-party_party_secondary" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "party" INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    FOREIGN KEY ("party") REFERENCES "party_party" ("id"),
    FOREIGN KEY ("user") REFERENCES "web_user" ("id")
);

CREATE TABLE "web_user_authenticate_attempt" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "device_cookie" VARCHAR,
    "ip_address" VARCHAR,
    "ip_network" VARCHAR,
    "login" VARCHAR(512),
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id")
);

CREATE TABLE "web_user_session" (
    "id" INTEGER NOT NULL,
    "create_date" DATETIME,
    "create_uid" INTEGER,
    "key" VARCHAR NOT NULL,
    "user" INTEGER NOT NULL,
    "write_date" DATETIME,
    "write_uid" INTEGER,
    PRIMARY KEY ("id"),
    UNIQUE ("key"),
    FOREIGN KEY ("user") REFERENCES "web_user" ("id")
);
