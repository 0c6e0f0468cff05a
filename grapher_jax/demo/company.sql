-- Geography and stores
CREATE TABLE country (country_code TEXT PRIMARY KEY, name TEXT NOT NULL, currency_code TEXT, vat_rate REAL, shipping_zone TEXT);
CREATE TABLE region (region_id INTEGER PRIMARY KEY, country_code TEXT NOT NULL REFERENCES country(country_code), name TEXT NOT NULL, annual_target REAL, population INTEGER);
CREATE TABLE store (store_id INTEGER PRIMARY KEY, region_id INTEGER NOT NULL REFERENCES region(region_id), manager_id INTEGER REFERENCES employee(employee_id), name TEXT NOT NULL, street TEXT, city TEXT, postal_code TEXT, phone TEXT, opened_on TEXT, floor_area_m2 INTEGER, has_workshop INTEGER DEFAULT 0);
CREATE TABLE opening_hours (store_id INTEGER NOT NULL REFERENCES store(store_id), weekday INTEGER NOT NULL, opens_at TEXT, closes_at TEXT, note TEXT, PRIMARY KEY (store_id, weekday));

-- Catalogue and pricing
CREATE TABLE category (category_id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES category(category_id), name TEXT NOT NULL, slug TEXT UNIQUE, sort_order INTEGER);
CREATE TABLE product (product_id INTEGER PRIMARY KEY, category_id INTEGER NOT NULL REFERENCES category(category_id), name TEXT NOT NULL, description TEXT, launched_on TEXT, discontinued_on TEXT, weight_g INTEGER, warranty_months INTEGER);
CREATE TABLE product_variant (variant_id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product(product_id), sku TEXT UNIQUE NOT NULL, colour TEXT, size TEXT, barcode TEXT, unit_cost REAL);
CREATE TABLE price_list (price_list_id INTEGER PRIMARY KEY, name TEXT NOT NULL, currency_code TEXT, audience TEXT, valid_from TEXT, valid_to TEXT);
CREATE TABLE price_list_entry (price_list_id INTEGER NOT NULL REFERENCES price_list(price_list_id), variant_id INTEGER NOT NULL REFERENCES product_variant(variant_id), unit_price REAL NOT NULL, minimum_quantity INTEGER DEFAULT 1, PRIMARY KEY (price_list_id, variant_id));
CREATE TABLE tag (tag_id INTEGER PRIMARY KEY, label TEXT UNIQUE NOT NULL, tag_group TEXT, created_on TEXT, icon TEXT);
CREATE TABLE product_tag (product_id INTEGER NOT NULL REFERENCES product(product_id), tag_id INTEGER NOT NULL REFERENCES tag(tag_id), assigned_on TEXT, PRIMARY KEY (product_id, tag_id));
CREATE TABLE product_review (review_id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product(product_id), customer_id INTEGER NOT NULL REFERENCES customer(customer_id), rating INTEGER CHECK (rating BETWEEN 1 AND 5), headline TEXT, body TEXT, posted_on TEXT, is_published INTEGER DEFAULT 1);

-- Customers and loyalty
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT UNIQUE, phone TEXT, birth_date TEXT, registered_on TEXT, preferred_language TEXT, referred_by INTEGER REFERENCES customer(customer_id));
CREATE TABLE customer_address (address_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer(customer_id), country_code TEXT NOT NULL REFERENCES country(country_code), street TEXT, city TEXT, postal_code TEXT, is_default INTEGER DEFAULT 0);
CREATE TABLE loyalty_tier (tier_id INTEGER PRIMARY KEY, name TEXT NOT NULL, minimum_points INTEGER, discount_pct REAL, free_shipping INTEGER);
CREATE TABLE loyalty_account (account_id INTEGER PRIMARY KEY, customer_id INTEGER UNIQUE NOT NULL REFERENCES customer(customer_id), tier_id INTEGER NOT NULL REFERENCES loyalty_tier(tier_id), card_number TEXT, joined_on TEXT, points_balance INTEGER);
CREATE TABLE loyalty_movement (movement_id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES loyalty_account(account_id), order_id INTEGER REFERENCES sales_order(order_id), points INTEGER, booked_on TEXT, note TEXT);
CREATE TABLE gift_card (gift_card_id INTEGER PRIMARY KEY, purchaser_id INTEGER NOT NULL REFERENCES customer(customer_id), recipient_id INTEGER REFERENCES customer(customer_id), code TEXT UNIQUE, face_value REAL, remaining_value REAL, issued_on TEXT, expires_on TEXT);
CREATE TABLE wishlist_item (customer_id INTEGER NOT NULL REFERENCES customer(customer_id), variant_id INTEGER NOT NULL REFERENCES product_variant(variant_id), added_on TEXT, PRIMARY KEY (customer_id, variant_id));

-- Sales, web shop and returns
CREATE TABLE sales_order (order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer(customer_id), store_id INTEGER REFERENCES store(store_id), served_by_id INTEGER REFERENCES employee(employee_id), delivery_address_id INTEGER REFERENCES customer_address(address_id), billing_address_id INTEGER REFERENCES customer_address(address_id), channel TEXT, placed_on TEXT, status TEXT, shipping_fee REAL);
CREATE TABLE order_line (order_id INTEGER NOT NULL REFERENCES sales_order(order_id), line_no INTEGER NOT NULL, variant_id INTEGER NOT NULL REFERENCES product_variant(variant_id), quantity INTEGER NOT NULL, unit_price REAL NOT NULL, discount_pct REAL DEFAULT 0, PRIMARY KEY (order_id, line_no));
CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES sales_order(order_id), method TEXT, amount REAL, paid_on TEXT, provider_reference TEXT, state TEXT);
CREATE TABLE carrier (carrier_id INTEGER PRIMARY KEY, name TEXT NOT NULL, service_level TEXT, phone TEXT, max_parcel_kg REAL, tracking_url TEXT);
CREATE TABLE shipment (shipment_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES sales_order(order_id), warehouse_id INTEGER NOT NULL REFERENCES warehouse(warehouse_id), carrier_id INTEGER NOT NULL REFERENCES carrier(carrier_id), shipped_on TEXT, delivered_on TEXT, tracking_number TEXT, freight_cost REAL);
CREATE TABLE shipment_item (shipment_id INTEGER NOT NULL REFERENCES shipment(shipment_id), order_id INTEGER NOT NULL, line_no INTEGER NOT NULL, quantity INTEGER, PRIMARY KEY (shipment_id, order_id, line_no), FOREIGN KEY (order_id, line_no) REFERENCES order_line(order_id, line_no));
CREATE TABLE return_reason (reason_id INTEGER PRIMARY KEY, label TEXT NOT NULL, is_defect INTEGER, customer_pays_postage INTEGER, sort_order INTEGER);
CREATE TABLE return_item (return_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, line_no INTEGER NOT NULL, reason_id INTEGER NOT NULL REFERENCES return_reason(reason_id), requested_on TEXT, quantity INTEGER, refund_amount REAL, status TEXT, FOREIGN KEY (order_id, line_no) REFERENCES order_line(order_id, line_no));
CREATE TABLE web_visit (visit_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(customer_id), started_at TEXT, device TEXT, landing_page TEXT, traffic_source TEXT, pages_viewed INTEGER);

-- Warehousing
CREATE TABLE warehouse (warehouse_id INTEGER PRIMARY KEY, country_code TEXT NOT NULL REFERENCES country(country_code), name TEXT NOT NULL, city TEXT, capacity_pallets INTEGER, opened_on TEXT);
CREATE TABLE storage_bin (bin_id INTEGER PRIMARY KEY, warehouse_id INTEGER NOT NULL REFERENCES warehouse(warehouse_id), aisle TEXT, shelf INTEGER, max_weight_kg REAL);
CREATE TABLE stock_level (bin_id INTEGER NOT NULL REFERENCES storage_bin(bin_id), variant_id INTEGER NOT NULL REFERENCES product_variant(variant_id), quantity INTEGER, reorder_point INTEGER, counted_on TEXT, PRIMARY KEY (bin_id, variant_id));
CREATE TABLE stock_transfer (transfer_id INTEGER PRIMARY KEY, from_warehouse_id INTEGER NOT NULL REFERENCES warehouse(warehouse_id), to_warehouse_id INTEGER NOT NULL REFERENCES warehouse(warehouse_id), variant_id INTEGER NOT NULL REFERENCES product_variant(variant_id), quantity INTEGER, dispatched_on TEXT, received_on TEXT);

-- Suppliers and procurement
CREATE TABLE supplier (supplier_id INTEGER PRIMARY KEY, country_code TEXT NOT NULL REFERENCES country(country_code), name TEXT NOT NULL, contact_name TEXT, email TEXT, payment_terms_days INTEGER, rating TEXT, certified_until TEXT);
CREATE TABLE material (material_id INTEGER PRIMARY KEY, name TEXT NOT NULL, material_type TEXT, unit_of_measure TEXT, recycled_pct REAL, standard_cost REAL, hazard_class TEXT);
CREATE TABLE supplier_material (supplier_id INTEGER NOT NULL REFERENCES supplier(supplier_id), material_id INTEGER NOT NULL REFERENCES material(material_id), quoted_price REAL, lead_time_days INTEGER, PRIMARY KEY (supplier_id, material_id));
CREATE TABLE purchase_order (purchase_order_id INTEGER PRIMARY KEY, supplier_id INTEGER NOT NULL REFERENCES supplier(supplier_id), buyer_id INTEGER NOT NULL REFERENCES employee(employee_id), approver_id INTEGER REFERENCES employee(employee_id), ordered_on TEXT, expected_on TEXT, status TEXT);
CREATE TABLE purchase_order_line (purchase_order_id INTEGER NOT NULL REFERENCES purchase_order(purchase_order_id), line_no INTEGER NOT NULL, material_id INTEGER NOT NULL REFERENCES material(material_id), quantity REAL, unit_price REAL, PRIMARY KEY (purchase_order_id, line_no));

-- Production and quality
CREATE TABLE plant (plant_id INTEGER PRIMARY KEY, country_code TEXT NOT NULL REFERENCES country(country_code), name TEXT NOT NULL, city TEXT, opened_on TEXT, shifts_per_day INTEGER);
CREATE TABLE machine (machine_id INTEGER PRIMARY KEY, plant_id INTEGER NOT NULL REFERENCES plant(plant_id), model TEXT, machine_type TEXT, serial_number TEXT, installed_on TEXT, hourly_cost REAL);
CREATE TABLE bill_of_materials (product_id INTEGER NOT NULL REFERENCES product(product_id), material_id INTEGER NOT NULL REFERENCES material(material_id), quantity_per_unit REAL, scrap_pct REAL, PRIMARY KEY (product_id, material_id));
CREATE TABLE work_order (work_order_id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product(product_id), machine_id INTEGER NOT NULL REFERENCES machine(machine_id), supervisor_id INTEGER REFERENCES employee(employee_id), planned_quantity INTEGER, produced_quantity INTEGER, started_on TEXT, finished_on TEXT, status TEXT);
CREATE TABLE quality_inspection (inspection_id INTEGER PRIMARY KEY, work_order_id INTEGER NOT NULL REFERENCES work_order(work_order_id), inspector_id INTEGER NOT NULL REFERENCES employee(employee_id), inspected_on TEXT, sample_size INTEGER, defects_found INTEGER, verdict TEXT);
CREATE TABLE machine_downtime (downtime_id INTEGER PRIMARY KEY, machine_id INTEGER NOT NULL REFERENCES machine(machine_id), started_at TEXT, ended_at TEXT, cause TEXT, reported_by_id INTEGER REFERENCES employee(employee_id));

-- Human resources
CREATE TABLE department (department_id INTEGER PRIMARY KEY, cost_centre_id INTEGER NOT NULL REFERENCES cost_centre(cost_centre_id), parent_id INTEGER REFERENCES department(department_id), name TEXT NOT NULL, location TEXT, phone_extension TEXT);
CREATE TABLE employee (employee_id INTEGER PRIMARY KEY, department_id INTEGER NOT NULL REFERENCES department(department_id), manager_id INTEGER REFERENCES employee(employee_id), first_name TEXT NOT NULL, last_name TEXT NOT NULL, job_title TEXT, email TEXT, hired_on TEXT, left_on TEXT, annual_salary REAL);
CREATE TABLE store_shift (shift_id INTEGER PRIMARY KEY, store_id INTEGER NOT NULL REFERENCES store(store_id), employee_id INTEGER NOT NULL REFERENCES employee(employee_id), shift_date TEXT, starts_at TEXT, ends_at TEXT, duty TEXT);
CREATE TABLE leave_request (leave_id INTEGER PRIMARY KEY, employee_id INTEGER NOT NULL REFERENCES employee(employee_id), approved_by_id INTEGER REFERENCES employee(employee_id), leave_type TEXT, starts_on TEXT, ends_on TEXT, status TEXT);
CREATE TABLE training_course (course_id INTEGER PRIMARY KEY, title TEXT NOT NULL, provider TEXT, duration_hours REAL, is_mandatory INTEGER, valid_months INTEGER);
CREATE TABLE course_completion (employee_id INTEGER NOT NULL REFERENCES employee(employee_id), course_id INTEGER NOT NULL REFERENCES training_course(course_id), completed_on TEXT, score INTEGER, PRIMARY KEY (employee_id, course_id));

-- Finance
CREATE TABLE cost_centre (cost_centre_id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT NOT NULL, opened_on TEXT, is_active INTEGER);
CREATE TABLE budget (cost_centre_id INTEGER NOT NULL REFERENCES cost_centre(cost_centre_id), fiscal_year INTEGER NOT NULL, planned_amount REAL, approved_on TEXT, PRIMARY KEY (cost_centre_id, fiscal_year));
CREATE TABLE supplier_invoice (invoice_id INTEGER PRIMARY KEY, purchase_order_id INTEGER NOT NULL REFERENCES purchase_order(purchase_order_id), invoice_number TEXT, received_on TEXT, due_on TEXT, paid_on TEXT, net_amount REAL, tax_amount REAL);
CREATE TABLE exchange_rate (currency_code TEXT NOT NULL, rate_date TEXT NOT NULL, rate_to_eur REAL, source TEXT, is_official INTEGER, PRIMARY KEY (currency_code, rate_date));
CREATE TABLE ledger_account (account_code TEXT PRIMARY KEY, parent_code TEXT REFERENCES ledger_account(account_code), title TEXT NOT NULL, account_class TEXT, is_postable INTEGER);

-- Service and repairs
CREATE TABLE repair_ticket (ticket_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer(customer_id), variant_id INTEGER NOT NULL REFERENCES product_variant(variant_id), store_id INTEGER REFERENCES store(store_id), technician_id INTEGER REFERENCES employee(employee_id), opened_on TEXT, closed_on TEXT, fault_description TEXT, under_warranty INTEGER, charge_amount REAL);
CREATE TABLE repair_part (ticket_id INTEGER NOT NULL REFERENCES repair_ticket(ticket_id), material_id INTEGER NOT NULL REFERENCES material(material_id), quantity REAL, PRIMARY KEY (ticket_id, material_id));

-- Marketing
CREATE TABLE campaign (campaign_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES employee(employee_id), name TEXT NOT NULL, channel TEXT, starts_on TEXT, ends_on TEXT, spend REAL);
CREATE TABLE campaign_product (campaign_id INTEGER NOT NULL REFERENCES campaign(campaign_id), product_id INTEGER NOT NULL REFERENCES product(product_id), placement TEXT, PRIMARY KEY (campaign_id, product_id));
CREATE TABLE coupon (coupon_id INTEGER PRIMARY KEY, campaign_id INTEGER REFERENCES campaign(campaign_id), code TEXT UNIQUE NOT NULL, discount_pct REAL, expires_on TEXT, maximum_uses INTEGER);
CREATE TABLE coupon_redemption (coupon_id INTEGER NOT NULL REFERENCES coupon(coupon_id), order_id INTEGER NOT NULL REFERENCES sales_order(order_id), redeemed_on TEXT, PRIMARY KEY (coupon_id, order_id));

-- Sample rows
INSERT INTO country VALUES ('DE','Germany','EUR',19,'A'),('FR','France','EUR',20,'A'),('AT','Austria','EUR',20,'A'),('PT','Portugal','EUR',23,'B'),('CH','Switzerland','CHF',8.1,'B'),('VN','Vietnam','VND',10,'D');
INSERT INTO region VALUES (1,'DE','Bavaria',2400000,13400000),(2,'DE','Rhineland',1500000,9200000),(3,'FR','Rhone-Alpes',1300000,6600000),(4,'AT','Tyrol',800000,770000);
INSERT INTO cost_centre VALUES (1,'CC100','Retail Operations','2012-01-01',1),(2,'CC200','Manufacturing','2012-01-01',1),(3,'CC300','Brand and Marketing','2016-01-01',1),(4,'CC400','Administration','2012-01-01',1);
INSERT INTO department VALUES (1,1,NULL,'Retail','Munich','100'),(2,2,NULL,'Production','Braga','200'),(3,3,NULL,'Marketing','Munich','300'),(4,4,NULL,'Procurement','Munich','400'),(5,1,1,'Service Workshop','Munich','150'),(6,2,2,'Quality Assurance','Braga','250');
INSERT INTO employee VALUES (1,1,NULL,'Helga','Brandt','Head of Retail','h.brandt@example.com','2012-03-01',NULL,92000),(2,2,NULL,'Tomas','Ferreira','Plant Director','t.ferreira@example.com','2014-06-15',NULL,98000),(3,3,NULL,'Camille','Roux','Marketing Director','c.roux@example.com','2017-01-09',NULL,87000),(4,4,NULL,'Jonas','Pichler','Head of Purchasing','j.pichler@example.com','2015-09-01',NULL,84000);
INSERT INTO employee VALUES (5,1,1,'Nadia','Lemoine','Store Manager','n.lemoine@example.com','2018-04-01',NULL,54000),(6,1,1,'Felix','Wagner','Store Manager','f.wagner@example.com','2019-02-01',NULL,53000),(7,1,1,'Greta','Hofer','Store Manager','g.hofer@example.com','2021-05-17',NULL,51000),(8,4,4,'Ines','Castro','Buyer','i.castro@example.com','2020-10-01',NULL,47000),(9,5,1,'Emil','Krause','Repair Technician','e.krause@example.com','2022-03-14',NULL,39000);
INSERT INTO employee VALUES (10,6,2,'Linh','Tran','Quality Inspector','l.tran@example.com','2019-08-19',NULL,42000),(11,1,5,'Paul','Girard','Sales Associate','p.girard@example.com','2023-02-06',NULL,31000),(12,1,6,'Mia','Schuster','Sales Associate','m.schuster@example.com','2023-09-01',NULL,30500),(13,2,2,'Rui','Almeida','Line Supervisor','r.almeida@example.com','2016-11-02',NULL,46000),(14,3,3,'Sophie','Keller','Campaign Manager','s.keller@example.com','2021-01-11','2025-02-28',45000);
INSERT INTO store VALUES (1,1,6,'Isar Flagship','Flussgasse 12','Munich','80331','+49 89 555010','2013-04-12',820,1),(2,3,5,'Lyon Confluence','Quai Nord 7','Lyon','69002','+33 4 555020','2018-09-20',540,0),(3,4,7,'Alpenblick Innsbruck','Bergweg 3','Innsbruck','6020','+43 512 555030','2021-06-05',310,1),(4,2,6,'Cologne Hafen','Am Kai 44','Cologne','50678','+49 221 555040','2022-03-26',420,0);
INSERT INTO opening_hours VALUES (1,1,'09:30','19:00',NULL),(1,6,'09:30','18:00',NULL),(2,1,'10:00','19:30',NULL),(3,6,'09:00','17:00','closed in November');
INSERT INTO category VALUES (1,NULL,'Camping','camping',1),(2,NULL,'Apparel','apparel',2),(3,1,'Tents','tents',1),(4,1,'Sleeping Bags','sleeping-bags',2),(5,2,'Rain Jackets','rain-jackets',1),(6,NULL,'Climbing','climbing',3),(7,6,'Harnesses','harnesses',1),(8,NULL,'Backpacks','backpacks',4);
INSERT INTO product VALUES (1,3,'Polaris 2P Tent','Three-season tent for two','2020-03-01',NULL,1900,36),(2,3,'Basecamp 4 Tent','Roomy family tent','2018-04-15',NULL,5200,36),(3,4,'Nimbus Sleeping Bag','Down bag rated to minus five','2019-09-01',NULL,980,24),(4,5,'Stormline Jacket','Three-layer waterproof shell','2021-09-10',NULL,410,24),(5,7,'Ridge Harness','All-round climbing harness','2022-02-20',NULL,360,24),(6,8,'Trailhead 45 Pack','Trekking pack with rain cover','2017-05-05','2025-01-31',1500,60);
INSERT INTO product_variant VALUES (1,1,'POL2-GRN','green','2P','4000000000011',118),(2,1,'POL2-ORG','orange','2P','4000000000028',118),(3,2,'BC4-SND','sand','4P','4000000000035',205),(4,3,'NIM5-BLU','blue','Regular','4000000000042',94),(5,4,'STL-RED-M','red','M','4000000000059',71),(6,4,'STL-BLK-L','black','L','4000000000066',71),(7,5,'RDG-GRY-M','grey','M','4000000000073',28),(8,6,'TRH45-BLU','blue','45L','4000000000080',52),(9,6,'TRH45-BLK','black','45L','4000000000097',52);
INSERT INTO price_list VALUES (1,'Retail Europe 2024','EUR','consumer','2024-01-01','2024-12-31'),(2,'Retail Switzerland 2024','CHF','consumer','2024-01-01','2024-12-31');
INSERT INTO price_list_entry VALUES (1,1,289,1),(1,3,489,1),(1,5,199,1),(2,1,305,1);
INSERT INTO tag VALUES (1,'vegan','ethics','2021-01-05','leaf'),(2,'ultralight','feature','2020-02-01','feather'),(3,'bluesign','ethics','2021-01-05','drop'),(4,'family','audience','2020-02-01','group');
INSERT INTO product_tag VALUES (1,2,'2020-03-01'),(1,1,'2021-02-01'),(2,4,'2020-02-10'),(4,1,'2021-09-10'),(4,3,'2021-09-10'),(6,3,'2022-01-15');
INSERT INTO customer VALUES (1,'Anna','Vogel','anna.vogel@example.org','+49 151 555101','1985-07-02','2019-03-11','de',NULL),(2,'Lucas','Moreau','lucas.moreau@example.org','+33 6 555102','1990-12-19','2021-05-30','fr',1),(3,'Petra','Lindner','petra.lindner@example.org',NULL,'1978-02-14','2020-08-08','de',NULL),(4,'Marc','Dubois','marc.dubois@example.org',NULL,'1995-10-01','2023-06-21','fr',2),(5,'Julia','Steiner','julia.steiner@example.org','+41 79 555105','1999-04-23','2024-01-17','de',1),(6,'Oliver','Baum','oliver.baum@example.org',NULL,'1970-11-30','2022-09-09','de',NULL);
INSERT INTO customer_address VALUES (1,1,'DE','Lindenhof 5','Munich','80469',1),(2,2,'FR','Rue du Pont 18','Lyon','69007',1),(3,3,'AT','Salzachufer 9','Salzburg','5020',1),(4,4,'FR','Cours des Alpes 22','Grenoble','38000',1),(5,5,'CH','Seeweg 31','Zurich','8002',1),(6,6,'DE','Domgasse 2','Cologne','50667',1),(7,1,'AT','Almstrasse 14','Innsbruck','6020',0);
INSERT INTO loyalty_tier VALUES (1,'Pebble',0,0,0),(2,'Ridge',500,5,0),(3,'Summit',1500,10,1);
INSERT INTO loyalty_account VALUES (1,1,3,'LC-0001','2019-03-11',1840),(2,2,2,'LC-0002','2021-06-02',760),(3,3,1,'LC-0003','2020-08-08',120),(4,5,2,'LC-0004','2024-01-17',610);
INSERT INTO sales_order VALUES (1,1,1,12,NULL,1,'store','2024-02-10','completed',0),(2,2,2,11,NULL,2,'store','2024-03-05','completed',0),(3,3,NULL,NULL,3,3,'web','2024-05-18','completed',4.9),(4,4,NULL,NULL,4,4,'web','2024-06-21','completed',4.9),(5,5,NULL,NULL,5,5,'web','2024-11-29','completed',9.9),(6,1,NULL,NULL,7,1,'web','2024-12-02','completed',0),(7,6,4,12,NULL,6,'store','2025-01-14','completed',0),(8,2,3,7,NULL,2,'store','2024-08-08','completed',0),(9,6,NULL,NULL,6,6,'web','2025-03-11','cancelled',4.9);
INSERT INTO order_line VALUES (1,1,1,1,289,0),(1,2,8,1,139,10),(2,1,6,2,199,0),(3,1,4,1,219,0),(3,2,7,1,79,0),(4,1,5,1,199,15),(5,1,3,1,489,20),(5,2,4,2,219,20),(6,1,9,1,139,0),(6,2,2,1,289,0),(7,1,3,1,489,0),(8,1,7,2,79,0),(8,2,5,1,199,0),(9,1,1,1,289,0);
INSERT INTO payment VALUES (1,1,'card',414.1,'2024-02-10','TX90001','captured'),(2,2,'cash',398,'2024-03-05',NULL,'captured'),(3,3,'wallet',302.9,'2024-05-18','TX90003','captured'),(4,9,'card',293.9,'2025-03-11','TX90009','refunded');
INSERT INTO loyalty_movement VALUES (1,1,1,414,'2024-02-10','purchase'),(2,2,2,398,'2024-03-05','purchase'),(3,1,NULL,100,'2024-07-02','birthday bonus');
INSERT INTO gift_card VALUES (1,1,5,'GC-7H2K',100,40,'2024-12-10','2027-12-31'),(2,3,NULL,'GC-9P4X',50,50,'2025-01-20','2028-01-31');
INSERT INTO wishlist_item VALUES (2,3,'2024-09-01'),(5,1,'2024-10-12'),(6,6,'2025-02-02');
INSERT INTO warehouse VALUES (1,'DE','Nuremberg Hub','Nuremberg',12000,'2014-01-15'),(2,'FR','Dijon Depot','Dijon',6500,'2018-05-02'),(3,'PT','Porto Dock','Porto',4000,'2015-10-10');
INSERT INTO carrier VALUES (1,'Kurier Nord','standard','+49 40 555201',31.5,'https://kuriernord.example.com/t'),(2,'AlpExpress','express','+43 1 555202',25,'https://alpexpress.example.com/t'),(3,'Colis Vite','express','+33 1 555203',30,'https://colisvite.example.com/t');
INSERT INTO shipment VALUES (1,3,1,1,'2024-05-19','2024-05-22','KN10001',5.2),(2,4,2,3,'2024-06-22','2024-06-24','CV20002',7.1),(3,5,1,2,'2024-11-30','2024-12-09','AX30003',14.8),(4,6,1,2,'2024-12-03','2024-12-05','AX30004',11.3);
INSERT INTO shipment_item VALUES (1,3,1,1),(1,3,2,1),(2,4,1,1),(3,5,1,1),(3,5,2,2);
INSERT INTO return_reason VALUES (1,'Wrong size',0,1,1),(2,'Faulty stitching',1,0,2),(3,'Changed mind',0,1,3),(4,'Leaking seam',1,0,4);
INSERT INTO return_item VALUES (1,2,1,1,'2024-03-12',1,199,'refunded'),(2,4,1,4,'2024-07-30',1,169.15,'refunded'),(3,5,2,3,'2024-12-15',1,175.2,'refunded'),(4,7,1,2,'2025-02-01',1,489,'under review');
INSERT INTO web_visit VALUES (1,3,'2024-05-18 19:02','mobile','/sleeping-bags','search',9),(2,NULL,'2024-06-01 08:15','desktop','/','direct',2),(3,5,'2024-11-29 12:40','tablet','/black-friday','newsletter',14);
INSERT INTO storage_bin VALUES (1,1,'A',1,800),(2,1,'A',2,800),(3,2,'B',1,600),(4,3,'C',4,500);
INSERT INTO stock_level VALUES (1,1,42,20,'2025-03-31'),(1,2,17,20,'2025-03-31'),(2,3,25,10,'2025-03-31'),(2,8,6,15,'2025-03-31'),(3,5,4,12,'2025-03-28'),(3,7,60,25,'2025-03-28'),(4,2,90,30,'2025-03-27');
INSERT INTO stock_transfer VALUES (1,3,1,2,40,'2024-09-02','2024-09-09'),(2,1,2,7,30,'2024-10-14','2024-10-16'),(3,1,2,5,12,'2025-04-01',NULL);
INSERT INTO supplier VALUES (1,'VN','Saigon Textile Works','Bao Nguyen','sales@saigontextile.example.com',60,'A','2026-05-31'),(2,'PT','Lisboa Fios','Marta Pinto','orders@lisboafios.example.com',30,'B','2025-04-30'),(3,'DE','Sauerland Alu','Dirk Heller','info@sauerlandalu.example.com',30,'A','2025-12-31'),(4,'CH','Helvetic Down','Reto Frei','kontakt@helveticdown.example.com',14,'A','2025-06-15');
INSERT INTO material VALUES (1,'Ripstop nylon','fabric','m',20,6.4,NULL),(2,'Aluminium pole','frame','piece',75,9.1,NULL),(3,'Goose down','filling','kg',0,82,NULL),(4,'Waterproof zip','trim','piece',10,3.2,NULL),(5,'Polyester webbing','trim','m',50,1.1,NULL),(6,'Laminated polyester','fabric','m',90,11.5,NULL),(7,'Seam sealant','chemical','litre',0,24,'flammable');
INSERT INTO supplier_material VALUES (1,1,5.9,45),(1,6,10.8,50),(1,4,2.7,40),(2,5,1,12),(2,6,12.1,14),(2,4,3.4,10),(3,2,8.6,21),(4,3,79,28);
INSERT INTO purchase_order VALUES (1,1,8,4,'2024-01-22','2024-03-10','received'),(2,3,8,4,'2024-04-03','2024-04-26','received'),(3,4,4,2,'2024-07-11','2024-08-09','received'),(4,2,8,4,'2025-02-05','2025-02-20','open');
INSERT INTO purchase_order_line VALUES (1,1,1,4000,5.9),(1,2,4,1500,2.7),(2,1,2,2200,8.6),(3,1,3,150,79),(4,1,4,800,3.4),(4,2,5,3000,1);
INSERT INTO supplier_invoice VALUES (1,1,'STW-5512','2024-03-12','2024-05-11','2024-05-08',27650,0),(2,2,'SA-2024-88','2024-04-27','2024-05-27','2024-05-20',18920,3594.8),(3,3,'HD-0419','2024-08-10','2024-08-24',NULL,11850,0);
INSERT INTO plant VALUES (1,'PT','Braga Works','Braga','2014-05-20',3),(2,'DE','Passau Works','Passau','2016-10-01',2);
INSERT INTO machine VALUES (1,1,'CutMaster 900','laser cutter','CM9-1182','2019-02-11',38),(2,1,'SewLine S4','sewing line','SL4-0077','2020-07-06',22),(3,2,'FormPress 20','press','FP20-331','2017-03-30',41);
INSERT INTO bill_of_materials VALUES (1,1,7.5,4),(1,2,3,1),(1,7,0.1,5),(2,1,16,4),(2,2,5,1),(3,1,4,3),(3,3,0.55,2),(3,4,1,0),(4,6,2.8,6),(4,4,3,1),(5,5,4.2,2),(6,5,6,2),(6,1,2.4,4);
INSERT INTO work_order VALUES (1,1,2,13,500,492,'2024-02-05','2024-02-23','closed'),(2,4,1,13,800,771,'2024-05-06','2024-05-31','closed'),(3,5,3,2,600,600,'2024-09-02','2024-09-13','closed'),(4,4,2,13,400,120,'2025-03-17',NULL,'running');
INSERT INTO quality_inspection VALUES (1,1,10,'2024-02-24',30,1,'pass'),(2,2,10,'2024-06-01',50,7,'fail'),(3,3,10,'2024-09-14',40,0,'pass'),(4,2,2,'2024-06-10',50,2,'pass');
INSERT INTO machine_downtime VALUES (1,1,'2024-05-14 06:10','2024-05-14 13:45','lens replacement',13),(2,3,'2024-09-05 21:00','2024-09-06 02:30','hydraulic leak',NULL);
INSERT INTO store_shift VALUES (1,1,12,'2025-03-01','09:00','14:00','till'),(2,1,9,'2025-03-01','10:00','18:00','workshop'),(3,2,11,'2025-03-01','10:00','19:30','sales floor'),(4,3,7,'2025-03-02','09:00','17:00','sales floor');
INSERT INTO leave_request VALUES (1,12,6,'annual','2025-07-14','2025-07-25','approved'),(2,11,5,'parental','2025-09-01','2025-12-01','pending');
INSERT INTO training_course VALUES (1,'First Aid at Work','Lifeline Academy',8,1,24),(2,'Forklift Licence','Depot Skills',16,0,60),(3,'Fire Safety','Lifeline Academy',3,1,12),(4,'Consultative Selling','In-house',6,0,NULL);
INSERT INTO course_completion VALUES (6,1,'2024-01-18',91),(12,1,'2024-01-18',84),(13,2,'2023-11-07',77),(10,2,'2024-04-22',88),(11,4,'2023-05-09',95),(9,3,'2024-10-02',80);
INSERT INTO budget VALUES (1,2024,3100000,'2023-11-30'),(2,2024,5400000,'2023-11-30'),(3,2024,900000,'2023-12-12');
INSERT INTO exchange_rate VALUES ('CHF','2024-06-28',1.04,'central bank',1),('VND','2024-06-28',0.0000367,'central bank',1),('CHF','2024-09-30',1.06,'central bank',1);
INSERT INTO ledger_account VALUES ('4000',NULL,'Revenue','income',0),('4010','4000','Store revenue','income',1),('4020','4000','Web revenue','income',1),('6000',NULL,'Freight and packing','expense',1);
INSERT INTO repair_ticket VALUES (1,1,8,1,9,'2024-08-19','2024-08-28','broken hip buckle',1,0),(2,4,5,2,9,'2024-10-07','2024-10-21','zip slider jammed',1,0),(3,2,6,3,9,'2025-03-05',NULL,'torn cuff',0,35),(4,6,3,1,NULL,'2025-03-22',NULL,'bent pole',0,48);
INSERT INTO repair_part VALUES (1,5,0.6),(2,4,1),(3,6,0.2),(4,2,1);
INSERT INTO campaign VALUES (1,14,'Spring Trails 2024','email','2024-03-01','2024-04-30',42000),(2,3,'Black Friday 2024','web','2024-11-25','2024-12-02',88000),(3,14,'Climb Local','social','2024-08-01','2024-09-15',23000);
INSERT INTO campaign_product VALUES (1,6,'hero banner'),(1,4,'newsletter'),(2,2,'hero banner'),(2,3,'product grid'),(3,5,'reel');
INSERT INTO coupon VALUES (1,1,'TRAIL15',15,'2024-06-30',500),(2,2,'SUMMIT20',20,'2024-12-02',2000),(3,2,'SHIPFREE',0,'2024-12-02',1000),(4,3,'CLIMB10',10,'2024-09-30',300);
INSERT INTO coupon_redemption VALUES (1,4,'2024-06-21'),(2,5,'2024-11-29'),(3,6,'2024-12-02');
INSERT INTO product_review VALUES (1,3,3,5,'Warm and light','Slept well at minus three.','2024-06-20',1),(2,4,4,2,'Leaked at the shoulder','Fine until the second storm.','2024-08-02',1),(3,1,1,4,'Solid tent','Quick to pitch, a bit short inside.','2024-04-14',1),(4,3,5,3,'Good but narrow','Tight around the shoulders.','2025-01-06',1);
