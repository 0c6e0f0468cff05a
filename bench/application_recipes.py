"""How each application of `bench/applications/` makes its tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field

SQLITE, POSTGRESQL = "sqlite", "postgresql"

_POSTGRESQL_SETTING = """
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "$name",
        "USER": "tester",
        "HOST": "$folder",
    }
}
"""
_MODULES = """
account account_asset account_budget account_dunning account_invoice account_invoice_stock
account_payment account_product account_statement analytic_account analytic_invoice
analytic_purchase analytic_sale attendance bank carrier commission company company_work_time country
currency customs incoterm marketing marketing_campaign party party_relationship product
product_attribute product_classification product_cost_fifo product_price_list production
production_routing production_work project project_invoice project_revenue purchase purchase_request
purchase_requisition quality sale sale_complaint sale_opportunity sale_price_list sale_promotion
sale_subscription sale_supply stock stock_forecast stock_location_sequence stock_lot stock_package
stock_shipment_cost stock_supply timesheet timesheet_cost web_shop web_user
"""
_TRYTON = tuple(_MODULES.split())


@dataclass(frozen=True)
class Application:
    """How one application makes its tables.

    In files, environment and command, `$folder` is the temporary folder, `$name` the database.

    Attributes:
        requirements: what is installed.
        command: what makes the tables, found in the environment.
        database: SQLite or PostgreSQL.
        python: the version of its interpreter.
        files: their text by name, written into the temporary folder.
        environment: variables for the command.
    """

    requirements: Sequence[str]
    command: Sequence[str]
    database: str = SQLITE
    python: str = "3.11"
    files: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)


APPLICATIONS = {
    "airflow": Application(
        ("apache-airflow==3.3.2", "apache-airflow-providers-fab"),
        ("airflow", "db", "migrate"),
        environment={
            "AIRFLOW_HOME": "$folder",
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": "sqlite:///$folder/$name.db",
            "AIRFLOW__CORE__AUTH_MANAGER": "airflow.providers.fab.auth_manager.fab_auth_manager"
            ".FabAuthManager",
        },
    ),
    "mayan": Application(
        ("mayan-edms==4.12.2",),
        ("mayan-edms.py", "migrate", "--noinput", "--settings=mayan.settings.production"),
        environment={
            "MAYAN_MEDIA_ROOT": "$folder",
            "MAYAN_DATABASES": "{'default': {'ENGINE': 'django.db.backends.sqlite3', "
            "'NAME': '$folder/$name.db'}}",
        },
    ),
    "nautobot": Application(
        ("nautobot==3.2.7",),
        ("nautobot-server", "--config", "$folder/nautobot_config.py", "migrate", "--noinput"),
        POSTGRESQL,
        files={
            "nautobot_config.py": """
from nautobot.core.settings import *

SECRET_KEY = "of no use"
INSTALLATION_METRICS_ENABLED = False
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": "$folder/cache",
    }
}
"""
            + _POSTGRESQL_SETTING
        },
        environment={"NAUTOBOT_ROOT": "$folder"},
    ),
    "superset": Application(
        # Superset imports rich without naming it, and does not know newer Flask-Caching.
        ("apache-superset==6.1.0", "rich", "flask-caching<2.4"),
        ("superset", "db", "upgrade"),
        files={
            "superset_config.py": 'SQLALCHEMY_DATABASE_URI = "sqlite:///$folder/$name.db"\n'
            'SECRET_KEY = "of no use, but long enough to be taken for one"\n'
        },
        environment={"FLASK_APP": "superset", "SUPERSET_HOME": "$folder"},
    ),
    "tryton": Application(
        (
            "trytond==8.2.1",
            "psycopg[binary]",
            "psycopg-pool",
            *(f"trytond-{module.replace('_', '-')}==8.2.*" for module in _TRYTON),
        ),
        (
            *("trytond-admin", "-c", "$folder/trytond.conf", "-d", "$name"),
            *("--email", "nobody@example.com", "-u", *_TRYTON, "--activate-dependencies"),
        ),
        POSTGRESQL,
        files={
            "trytond.conf": "[database]\nuri = postgresql://tester@/?host=$folder\n",
            "password": "of no use\n",
        },
        environment={"TRYTONPASSFILE": "$folder/password"},
    ),
    "weblate": Application(
        ("weblate==2026.10.1", "psycopg[binary]"),
        ("python", "-m", "django", "migrate", "--noinput"),
        POSTGRESQL,
        python="3.12",
        files={
            "schema_settings.py": """
from weblate.settings_test import *

DATA_DIR = CACHE_DIR = "$folder"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
"""
            + _POSTGRESQL_SETTING
        },
        environment={"DJANGO_SETTINGS_MODULE": "schema_settings"},
    ),
    "galaxy": Application(
        ("galaxy-data==26.1.2",),
        (
            *("python", "-c"),
            "from galaxy.model.migrations import DatabaseConfig, verify_databases_via_script\n"
            'one = DatabaseConfig("sqlite:///$folder/$name.db", "", "")\n'
            "verify_databases_via_script(one, one, True)",
        ),
    ),
    "indico": Application(
        # Indico imports pkg_resources without naming it.
        ("indico==3.2.9", "setuptools<81"),
        ("python", "$folder/make_tables.py"),
        POSTGRESQL,
        files={
            "make_tables.py": """
from indico.core.db import db
from indico.core.db.sqlalchemy.util.management import create_all_tables, get_all_tables
from indico.web.flask.app import configure_db, make_app

app = make_app(
    testing=True,
    config_override={"BASE_URL": "http://localhost", "SECRET_KEY": "of no use, but long enough"},
)
app.config["SQLALCHEMY_DATABASE_URI"] = "postgresql:///$name?host=$folder&user=tester"
with app.app_context():
    configure_db(app)
    for extension in ("unaccent", "pg_trgm"):
        db.session.execute(f"CREATE EXTENSION {extension}")
    db.session.commit()
    create_all_tables(db, add_initial_data=False)
    # Tables lie in many schemas; some names, also of indices and sequences, are in several.
    found = (
        "SELECT CASE relkind WHEN 'i' THEN 'INDEX' ELSE 'SEQUENCE' END, oid::regclass, oid "
        "FROM pg_class WHERE relkind IN ('i', 'S') AND relnamespace::regnamespace::text !~ '^pg_'"
    )
    for kind, name, number in db.session.execute(found).all():
        db.session.execute(f"ALTER {kind} {name} RENAME TO _{number}")
    for schema, tables in get_all_tables(db).items():
        for table in tables if schema != "public" else ():
            db.session.execute(f'ALTER TABLE "{schema}"."{table}" SET SCHEMA public')
            if table != schema:
                db.session.execute(f'ALTER TABLE "{table}" RENAME TO "{schema}_{table}"')
    db.session.commit()
"""
        },
    ),
    "kiwitcms": Application(
        # Kiwi TCMS asks for a library that is older than Python 3.11 and for pkg_resources.
        ("kiwitcms==12.4", "setuptools<81"),
        ("python", "-m", "django", "migrate", "--noinput"),
        files={
            "sitecustomize.py": "import inspect\n\ninspect.getargspec = inspect.getfullargspec\n"
        },
        environment={
            "DJANGO_SETTINGS_MODULE": "tcms.settings.product",
            "KIWI_DB_ENGINE": "django.db.backends.sqlite3",
            "KIWI_DB_NAME": "$folder/$name.db",
        },
    ),
    "kolibri": Application(
        ("kolibri==0.19.5", "psycopg2-binary", "setuptools<81"),
        ("kolibri", "manage", "migrate", "--noinput"),
        POSTGRESQL,
        environment={
            "KOLIBRI_HOME": "$folder",
            "KOLIBRI_DATABASE_ENGINE": "postgres",
            "KOLIBRI_DATABASE_NAME": "$name",
            "KOLIBRI_DATABASE_USER": "tester",
            "KOLIBRI_DATABASE_HOST": "$folder",
        },
    ),
    "neutron": Application(
        # Its migrations do not run on SQLite; its models make the tables.
        ("neutron==29.0.0",),
        (
            "python",
            "-c",
            "import sqlalchemy; from neutron.db.migration.models import head; "
            "head.get_metadata().create_all(sqlalchemy.create_engine('sqlite:///$folder/$name.db'))",
        ),
    ),
    "openimis": Application(
        # The modules leave out many of their requirements, and know the old graphene alone.
        (
            *("openimis-be-claim==1.11.0", "openimis-be-claim-batch==1.11.0"),
            *("openimis-be-contract==1.11.0", "openimis-be-contribution==1.10.0"),
            *("openimis-be-contribution-plan==1.11.0", "openimis-be-core==1.11.0"),
            *("openimis-be-calculation==1.10.0", "openimis-be-individual==1.4.0"),
            "openimis-be-grievance-social-protection==1.3.0",
            *("openimis-be-insuree==1.11.0", "openimis-be-invoice==1.11.0"),
            *("openimis-be-location==1.11.0", "openimis-be-medical==1.11.0"),
            *("openimis-be-medical-pricelist==1.8.0", "openimis-be-opensearch-reports==1.4.0"),
            *("openimis-be-payer==1.7.0", "openimis-be-payment==1.11.0"),
            *("openimis-be-payment-cycle==1.3.2", "openimis-be-payroll==1.5.0"),
            *("openimis-be-policy==1.11.0", "openimis-be-policyholder==1.10.0"),
            *("openimis-be-product==1.10.0", "openimis-be-report==1.7.1"),
            *("openimis-be-social-protection==1.5.0", "openimis-be-tasks-management==1.5.0"),
            *("openimis-be-tools==1.11.0", "openimis-be-workflow==1.1.0"),
            *("apscheduler", "celery", "django<5", "django-apscheduler", "django-axes"),
            *("django-filter<24", "django-graphql-jwt<0.4", "django-opensearch-dsl"),
            *("django-redis", "django-simple-history<3.8", "graphene<3", "graphene-django<3"),
            *("graphene-django-optimizer<0.9", "nepali-datetime", "psycopg[binary]", "requests"),
            "setuptools<81",
        ),
        # Its migrations expect tables that its old server had made; so do without, by its models.
        ("django-admin", "migrate", "--run-syncdb"),
        POSTGRESQL,
        files={
            "imis_settings.py": '''
import sys
from types import ModuleType

apps = ModuleType("openIMIS.openimisapps")
apps.openimis_apps = list
sys.modules |= {"openIMIS": ModuleType("openIMIS"), apps.__name__: apps}

SECRET_KEY = "of no use"
SITE_ROOT = str
ROW_SECURITY = MSSQL = IS_TESTING = USE_TZ = SCHEDULER_AUTOSTART = False
MODE = "PROD"
FRONTEND_URL = ""
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
AUTH_USER_MODEL = "core.User"
CACHE_OBJECT_TTL = CACHE_OBJECT_DEFAULT = 0
PASSWORD_MIN_LENGTH = 8
PASSWORD_UPPERCASE = PASSWORD_LOWERCASE = PASSWORD_DIGITS = PASSWORD_SYMBOLS = 1
SCHEDULER_JOBS, SCHEDULER_CUSTOM, SCHEDULER_CONFIG = [], [], {}
CACHES = {
    each: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    for each in ("default", "location", "coverage")
}
INSTALLED_APPS = """
django.contrib.auth django.contrib.contenttypes django.contrib.sessions simple_history
django_apscheduler workflow tools core location medical medical_pricelist calculation product
insuree policy payer contribution payment claim claim_batch contribution_plan policyholder contract
invoice report tasks_management individual social_protection payment_cycle payroll
grievance_social_protection
""".split()
MIGRATION_MODULES = dict.fromkeys(each.split(".")[-1] for each in INSTALLED_APPS)
'''
            + _POSTGRESQL_SETTING
        },
        environment={"DJANGO_SETTINGS_MODULE": "imis_settings"},
    ),
    "oscar": Application(
        ("django-oscar==4.2.1", "sorl-thumbnail"),
        ("python", "-m", "django", "migrate", "--noinput", "--skip-checks"),
        files={
            "oscar_settings.py": """
from oscar.defaults import *

SECRET_KEY = "of no use"
SITE_ID = 1
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
ROOT_URLCONF = "oscar_settings"
urlpatterns = []
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "$folder/$name.db"}}
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
INSTALLED_APPS = [f"django.contrib.{app}" for app in (
    "admin", "auth", "contenttypes", "sessions", "messages", "sites", "flatpages")]
INSTALLED_APPS += [
    "oscar.config.Shop",
    *(f"oscar.apps.{app}Config" for app in (
        "analytics.apps.Analytics", "checkout.apps.Checkout", "address.apps.Address",
        "shipping.apps.Shipping", "catalogue.apps.Catalogue",
        "catalogue.reviews.apps.CatalogueReviews", "communication.apps.Communication",
        "partner.apps.Partner", "basket.apps.Basket", "payment.apps.Payment",
        "offer.apps.Offer", "order.apps.Order", "customer.apps.Customer",
        "search.apps.Search", "voucher.apps.Voucher", "wishlists.apps.Wishlists",
        "dashboard.apps.Dashboard", *(f"dashboard.{part}.apps.{part.title()}Dashboard" for part in (
            "reports", "users", "orders", "catalogue", "offers", "partners", "pages", "ranges",
            "reviews", "vouchers", "communications", "shipping")))),
    "widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2",
]
"""
        },
        environment={"DJANGO_SETTINGS_MODULE": "oscar_settings"},
    ),
    "pretix": Application(
        ("pretix==2026.8.0",),
        ("python", "-m", "pretix", "migrate", "--noinput"),
        files={
            "pretix.cfg": "[pretix]\ndatadir = $folder\n"
            "[database]\nbackend = sqlite3\nname = $folder/$name.db\n"
        },
        environment={"PRETIX_CONFIG_FILE": "$folder/pretix.cfg"},
    ),
}
