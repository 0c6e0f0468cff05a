-- A trader in workshop tools. What is as usual: a few tables that many reference, about one and a half
-- keys a table, of which a quarter is there by name alone, a bought-in system that writes otherwise,
-- and two views.

-- Customers and addresses
CREATE TABLE country (country_code TEXT PRIMARY KEY, name TEXT NOT NULL, currency_code TEXT, vat_rate REAL);
CREATE TABLE address (address_id INTEGER PRIMARY KEY, street TEXT, city TEXT, postal_code TEXT, country_code TEXT NOT NULL REFERENCES country(country_code));
CREATE TABLE customer_group (customer_group_id INTEGER PRIMARY KEY, label TEXT NOT NULL, discount_pct REAL);
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, customer_group_id INTEGER NOT NULL REFERENCES customer_group(customer_group_id), billing_address_id INTEGER NOT NULL REFERENCES address(address_id), account_manager_id INTEGER REFERENCES employee(employee_id), credit_limit REAL, created_on TEXT);
CREATE TABLE contact_person (contact_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer(customer_id), first_name TEXT, last_name TEXT, email TEXT, phone TEXT, role TEXT);

-- People
CREATE TABLE department (department_id INTEGER PRIMARY KEY, name TEXT NOT NULL, cost_centre_code TEXT);
CREATE TABLE employee (employee_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT, department_id INTEGER NOT NULL REFERENCES department(department_id), manager_id INTEGER REFERENCES employee(employee_id), home_address_id INTEGER REFERENCES address(address_id), hired_on TEXT);
CREATE TABLE absence (absence_id INTEGER PRIMARY KEY, employee_id INTEGER NOT NULL REFERENCES employee(employee_id), kind TEXT, first_day TEXT, last_day TEXT, approved INTEGER);
CREATE TABLE skill (skill_id INTEGER PRIMARY KEY, title TEXT NOT NULL, valid_months INTEGER);
CREATE TABLE employee_skill (employee_id INTEGER NOT NULL REFERENCES employee(employee_id), skill_id INTEGER NOT NULL REFERENCES skill(skill_id), certified_until TEXT, PRIMARY KEY (employee_id, skill_id));

-- Products and what they are bought for
CREATE TABLE supplier (supplier_id INTEGER PRIMARY KEY, name TEXT NOT NULL, address_id INTEGER REFERENCES address(address_id), payment_days INTEGER, rating INTEGER);
CREATE TABLE product_category (product_category_id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES product_category(product_category_id), name TEXT NOT NULL);
CREATE TABLE product (product_id INTEGER PRIMARY KEY, name TEXT NOT NULL, product_category_id INTEGER NOT NULL REFERENCES product_category(product_category_id), supplier_id INTEGER REFERENCES supplier(supplier_id), list_price REAL, weight_kg REAL, discontinued INTEGER DEFAULT 0);
CREATE TABLE product_price (product_id INTEGER NOT NULL REFERENCES product(product_id), customer_group_id INTEGER NOT NULL REFERENCES customer_group(customer_group_id), valid_from TEXT NOT NULL, price REAL, PRIMARY KEY (product_id, customer_group_id, valid_from));
CREATE TABLE purchase_order (purchase_order_id INTEGER PRIMARY KEY, supplier_id INTEGER NOT NULL REFERENCES supplier(supplier_id), employee_id INTEGER REFERENCES employee(employee_id), placed_on TEXT, expected_on TEXT, received_on TEXT);
CREATE TABLE purchase_order_item (purchase_order_id INTEGER NOT NULL REFERENCES purchase_order(purchase_order_id), line_no INTEGER NOT NULL, product_id INTEGER NOT NULL REFERENCES product(product_id), quantity INTEGER, unit_cost REAL, PRIMARY KEY (purchase_order_id, line_no));

-- Sales
CREATE TABLE sales_order (order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer(customer_id), employee_id INTEGER REFERENCES employee(employee_id), delivery_address_id INTEGER REFERENCES address(address_id), placed_on TEXT, status TEXT);
CREATE TABLE order_item (order_id INTEGER NOT NULL REFERENCES sales_order(order_id), line_no INTEGER NOT NULL, product_id INTEGER NOT NULL REFERENCES product(product_id), quantity INTEGER, unit_price REAL, PRIMARY KEY (order_id, line_no));
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES sales_order(order_id), customer_id INTEGER NOT NULL, issued_on TEXT, due_on TEXT, total REAL);
CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL REFERENCES invoice(invoice_id), amount REAL, received_on TEXT, method TEXT);
CREATE TABLE complaint (complaint_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES sales_order(order_id), product_id INTEGER REFERENCES product(product_id), reason TEXT, opened_on TEXT, settled_on TEXT);

-- The workshop's own tables, older than the rest: nobody declared their keys
CREATE TABLE service_contract (contract_id INTEGER PRIMARY KEY, customer_id INTEGER, product_id INTEGER, starts_on TEXT, ends_on TEXT, response_hours INTEGER);
CREATE TABLE repair_job (job_id INTEGER PRIMARY KEY, customer_id INTEGER, product_id INTEGER, employee_id INTEGER, fault TEXT, opened_on TEXT, closed_on TEXT, under_warranty INTEGER);
CREATE TABLE repair_part (repair_part_id INTEGER PRIMARY KEY, job_id INTEGER, product_id INTEGER, quantity INTEGER);

-- Books
CREATE TABLE cost_centre (cost_centre_code TEXT PRIMARY KEY, name TEXT NOT NULL, budget REAL);
CREATE TABLE ledger_account (account_code TEXT PRIMARY KEY, title TEXT NOT NULL, account_type TEXT);
CREATE TABLE journal_entry (entry_id INTEGER PRIMARY KEY, booked_on TEXT, posted_by INTEGER REFERENCES employee(employee_id), memo TEXT);
CREATE TABLE journal_line (entry_id INTEGER NOT NULL REFERENCES journal_entry(entry_id), line_no INTEGER NOT NULL, account_code TEXT NOT NULL REFERENCES ledger_account(account_code), cost_centre_code TEXT REFERENCES cost_centre(cost_centre_code), debit REAL, credit REAL, PRIMARY KEY (entry_id, line_no));

-- Warehouse and transport: a system that was bought, with its own way of writing; it knows orders,
-- products and people by their numbers alone
CREATE TABLE Warehouse (warehouseId INTEGER PRIMARY KEY, warehouseName TEXT, addressId INTEGER);
CREATE TABLE StorageBin (binId INTEGER PRIMARY KEY, warehouseId INTEGER NOT NULL REFERENCES Warehouse(warehouseId), aisle TEXT, shelf INTEGER);
CREATE TABLE StockLevel (stockId INTEGER PRIMARY KEY, binId INTEGER NOT NULL REFERENCES StorageBin(binId), articleNo INTEGER, onHandQty INTEGER, reorderPoint INTEGER);
CREATE TABLE Carrier (carrierId INTEGER PRIMARY KEY, carrierName TEXT, serviceLevel TEXT, trackingUrl TEXT);
CREATE TABLE Shipment (shipmentId INTEGER PRIMARY KEY, orderId INTEGER, carrierId INTEGER REFERENCES Carrier(carrierId), warehouseId INTEGER REFERENCES Warehouse(warehouseId), shippedAt TEXT, deliveredAt TEXT, trackingNo TEXT);
CREATE TABLE ShipmentItem (shipmentItemId INTEGER PRIMARY KEY, shipmentId INTEGER NOT NULL REFERENCES Shipment(shipmentId), productId INTEGER, qty INTEGER);
CREATE TABLE DriverTour (tourId INTEGER PRIMARY KEY, warehouseId INTEGER REFERENCES Warehouse(warehouseId), driverNo INTEGER, tourDate TEXT, licencePlate TEXT, distanceKm REAL);

CREATE VIEW open_invoice AS SELECT i.invoice_id, c.name, i.due_on, i.total - COALESCE(SUM(p.amount), 0) AS due FROM invoice i JOIN customer c ON c.customer_id = i.customer_id LEFT JOIN payment p ON p.invoice_id = i.invoice_id GROUP BY i.invoice_id, c.name, i.due_on, i.total;
CREATE VIEW product_stock AS SELECT p.product_id, p.name, SUM(s.onHandQty) AS on_hand FROM product p JOIN StockLevel s ON s.articleNo = p.product_id GROUP BY p.product_id, p.name;

INSERT INTO country VALUES ('DE', 'Germany', 'EUR', 19), ('DK', 'Denmark', 'DKK', 25), ('NO', 'Norway', 'NOK', 25), ('SE', 'Sweden', 'SEK', 25);
INSERT INTO address VALUES (1, 'Werftstrasse 4', 'Kiel', '24143', 'DE'), (2, 'Havnegade 9', 'Aarhus', '8000', 'DK'), (3, 'Strandgata 2', 'Oslo', '0150', 'NO'), (4, 'Gruvgatan 7', 'Malmö', '211 20', 'SE'), (5, 'Hafenweg 1', 'Flensburg', '24937', 'DE');
INSERT INTO customer_group VALUES (1, 'trade', 10), (2, 'school', 15), (3, 'wholesale', 25);
INSERT INTO department VALUES (1, 'Sales', '100'), (2, 'Workshop', '200'), (3, 'Transport', '300'), (4, 'Accounts', '400');
INSERT INTO employee VALUES (1, 'Ida', 'Lorenz', 'ida@example.org', 1, NULL, 1, '2015-03-01'), (2, 'Jonas', 'Petersen', 'jonas@example.org', 2, 1, 5, '2018-08-15'), (3, 'Mette', 'Friis', 'mette@example.org', 1, 1, 5, '2020-01-02'), (4, 'Uwe', 'Clausen', 'uwe@example.org', 3, 1, 1, '2012-05-01'), (5, 'Sara', 'Holm', 'sara@example.org', 4, 1, 1, '2019-11-01');
INSERT INTO customer VALUES (1, 'Brandt Metallbau', 1, 1, 1, 60000, '2014-02-01'), (2, 'Hafen Marina', 1, 5, 3, 20000, '2017-06-12'), (3, 'Aarhus Tekniske Skole', 2, 2, 3, 15000, '2019-09-30'), (4, 'Fjord Verft', 3, 3, 1, 90000, '2021-04-20');
INSERT INTO contact_person VALUES (1, 1, 'Karl', 'Brandt', 'karl@example.org', '0431 1', 'owner'), (2, 2, 'Anke', 'Wolf', 'anke@example.org', '0461 2', 'deliveries'), (3, 4, 'Nils', 'Aas', 'nils@example.org', '22 3', 'buying');
INSERT INTO absence VALUES (1, 2, 'sick', '2025-03-10', '2025-03-14', 1), (2, 3, 'holiday', '2025-07-01', '2025-07-18', 1);
INSERT INTO skill VALUES (1, 'welding', 36), (2, 'forklift', 60), (3, 'first aid', 24);
INSERT INTO employee_skill VALUES (2, 1, '2027-01-31'), (4, 2, '2026-06-30'), (2, 3, '2025-12-31');
INSERT INTO supplier VALUES (1, 'Nordstål', 4, 30, 5), (2, 'Elektra Werke', 1, 14, 4);
INSERT INTO product_category VALUES (1, NULL, 'machines'), (2, 1, 'grinders'), (3, NULL, 'hand tools'), (4, NULL, 'protection'), (5, NULL, 'spare parts');
INSERT INTO product VALUES (1, 'bench grinder 200', 2, 2, 240, 14.5, 0), (2, 'torque wrench 60', 3, 1, 95, 1.2, 0), (3, 'cordless drill 18', 1, 2, 179, 1.9, 0), (4, 'safety gloves', 4, 1, 9, 0.1, 0), (5, 'grinding wheel 200', 5, 2, 18, 0.8, 0);
INSERT INTO product_price VALUES (3, 3, '2025-01-01', 132), (3, 1, '2025-01-01', 161), (4, 2, '2025-01-01', 7.5);
INSERT INTO purchase_order VALUES (1, 1, 5, '2025-05-02', '2025-06-01', NULL), (2, 2, 5, '2025-02-11', '2025-02-25', '2025-02-24');
INSERT INTO purchase_order_item VALUES (1, 1, 2, 40, 51), (1, 2, 4, 500, 3.2), (2, 1, 1, 10, 150);
INSERT INTO sales_order VALUES (1, 1, 1, 1, '2024-04-03', 'closed'), (2, 4, 3, 3, '2025-01-20', 'closed'), (3, 2, 3, 5, '2025-05-05', 'open');
INSERT INTO order_item VALUES (1, 1, 1, 2, 216), (1, 2, 4, 50, 8), (2, 1, 2, 12, 71), (3, 1, 3, 1, 161);
INSERT INTO invoice VALUES (1, 1, 1, '2024-04-05', '2024-05-05', 832), (2, 2, 4, '2025-01-22', '2025-02-21', 852), (3, 3, 2, '2025-05-06', '2025-06-05', 161);
INSERT INTO payment VALUES (1, 1, 832, '2024-04-30', 'transfer'), (2, 2, 400, '2025-02-20', 'transfer');
INSERT INTO complaint VALUES (1, 2, 2, 'scale cannot be read', '2025-02-01', NULL), (2, 1, 1, 'arrived damaged', '2024-04-09', '2024-04-20');
INSERT INTO service_contract VALUES (1, 1, 1, '2023-01-01', '2025-12-31', 24), (2, 4, 3, '2024-01-01', '2027-12-31', 48);
INSERT INTO repair_job VALUES (1, 2, 1, 2, 'motor does not start', '2025-02-03', '2025-02-07', 0), (2, 1, 1, 2, 'wheel out of true', '2025-03-01', NULL, 1), (3, 4, 3, 2, 'battery', '2025-03-20', '2025-03-21', 1);
INSERT INTO repair_part VALUES (1, 1, 5, 2), (2, 2, 5, 1);
INSERT INTO cost_centre VALUES ('100', 'Sales and marketing', 80000), ('200', 'Workshop', 50000), ('300', 'Transport', 70000), ('400', 'Administration', 40000);
INSERT INTO ledger_account VALUES ('4210', 'Rent', 'expense'), ('4600', 'Advertising', 'expense'), ('8400', 'Sales', 'revenue');
INSERT INTO journal_entry VALUES (1, '2025-05-01', 5, 'May'), (2, '2025-02-14', 5, 'fair in Oslo');
INSERT INTO journal_line VALUES (1, 1, '4210', '400', 4200, 0), (2, 1, '4600', '100', 3100, 0);
INSERT INTO Warehouse VALUES (1, 'Kiel', 1), (2, 'Flensburg', 5);
INSERT INTO StorageBin VALUES (1, 1, 'A', 3), (2, 1, 'C', 1), (3, 2, 'B', 2);
INSERT INTO StockLevel VALUES (1, 1, 1, 6, 2), (2, 2, 4, 40, 100), (3, 3, 2, 25, 10);
INSERT INTO Carrier VALUES (1, 'Ostsee Express', 'express', 'https://example.org/o'), (2, 'Fjordfrakt', 'standard', 'https://example.org/f');
INSERT INTO Shipment VALUES (1, 1, 1, 1, '2024-04-04', '2024-04-05', 'OX1'), (2, 2, 2, 2, '2025-01-21', '2025-01-27', 'FF1');
INSERT INTO ShipmentItem VALUES (1, 1, 1, 2), (2, 1, 4, 50), (3, 2, 2, 12);
INSERT INTO DriverTour VALUES (1, 1, 4, '2025-05-06', 'KI-X 1', 132.5), (2, 2, 4, '2025-05-07', 'KI-X 1', 88);
