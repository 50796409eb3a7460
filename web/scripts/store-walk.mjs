// What an owner does at the store's own host, for the scripts that take pictures of it. All names are invented.
import { signInAtStore } from './walk.mjs';

const partners = ['Ravi Kumar', 'Meena Joshi', 'Imran Shaikh', 'Lakshmi Iyer', 'Arjun Patil', 'Debashish Sen'];

/**
 * Name, city, State, pincode, partner and status of each outlet.
 * @type {[name: string, city: string, state: string, pincode: string, partner: string, status: string][]}
 */
const outlets = [
  ['C. G. Road', 'Ahmedabad', 'Gujarat', '380009', 'Meena Joshi', 'Open'],
  ['Indiranagar', 'Bengaluru', 'Karnataka', '560038', 'Lakshmi Iyer', 'Open'],
  ['Jayanagar', 'Bengaluru', 'Karnataka', '560041', 'Lakshmi Iyer', 'Open'],
  ['T. Nagar', 'Chennai', 'Tamil Nadu', '600017', 'Lakshmi Iyer', 'Planned'],
  ['Salt Lake', 'Kolkata', 'West Bengal', '700091', 'Debashish Sen', 'Open'],
  ['Andheri West', 'Mumbai', 'Maharashtra', '400058', 'Imran Shaikh', 'Open'],
  ['Dadar', 'Mumbai', 'Maharashtra', '400028', 'Imran Shaikh', 'Open'],
  ['College Road', 'Nashik', 'Maharashtra', '422005', 'Arjun Patil', 'Paused'],
  ['Camp', 'Pune', 'Maharashtra', '411001', '', 'Open'],
  ['Kothrud', 'Pune', 'Maharashtra', '411038', 'Ravi Kumar', 'Open'],
  ['Station Road', 'Thane', 'Maharashtra', '400601', 'Arjun Patil', 'Open'],
];

/**
 * Signs the owner in at the store's dashboard.
 * @param {import('./walk.mjs').Page} page
 * @param {string} address
 * @param {import('./walk.mjs').Person} person
 */
export async function enterStore(page, address, person) {
  await page.goto(address);
  await signInAtStore(page, person);
  await page.getByRole('heading', { level: 2, name: 'First steps' }).waitFor();
}

/** @param {import('./walk.mjs').Page} page */
export async function invitePartners(page) {
  for (const [index, name] of partners.entries()) {
    await page.goto(new URL('/dashboard/partners/new', page.url()).href);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Mobile number').fill(`98200036${String(index).padStart(2, '0')}`);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('The invitation is on its way by SMS.').waitFor();
  }
}

/**
 * Adds the outlets and sets the status of each.
 * @param {import('./walk.mjs').Page} page
 */
export async function addOutlets(page) {
  for (const [index, [name, city, state, pincode, partner, status]] of outlets.entries()) {
    await page.goto(new URL('/dashboard/outlets/new', page.url()).href);
    await page.getByLabel('Outlet name').fill(name);
    await page.getByLabel('City').fill(city);
    await page.getByLabel(/^Your own code/).fill(`AS-${String(index + 1).padStart(2, '0')}`);
    await page.getByLabel(/^State/).selectOption({ label: state });
    await page.getByLabel(/^Pincode/).fill(pincode);
    await page.getByLabel(/^Phone/).fill(`0224000${String(index + 361).padStart(4, '0')}`);
    if (partner) await page.getByLabel(/^Partner/).selectOption({ label: partner });
    await page.getByRole('button', { name: 'Add outlet' }).click();
    await page.getByText('The outlet was added.').waitFor();
    if (status === 'Planned') continue;
    await page.getByRole('button', { name: 'Open this outlet' }).click();
    await page.getByText('The status was changed.').waitFor();
    if (status === 'Open') continue;
    await page.getByRole('button', { name: 'Pause this outlet' }).click();
    await page.getByText('The status was changed.').waitFor();
  }
}
