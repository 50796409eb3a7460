// Follows every link of the public pages, from the sitemap on: `make linkcheck` (a running stack).
//   node scripts/linkcheck.mjs [http://localhost:8080]
// A link is dead where its address does not answer 200, where its anchor is not on the page, or where a picture, script,
// film or sheet is missing. Links to other sites are listed and not followed.
import { deadLinks } from './links.mjs';

const [, , base = 'http://localhost:8080'] = process.argv;
const { dead, pages, links, elsewhere } = await deadLinks(base);
for (const line of dead) process.stdout.write(`DEAD ${line}\n`);
for (const address of elsewhere) process.stdout.write(`other site: ${address}\n`);
process.stdout.write(`${pages} pages, ${links} addresses, ${dead.length} dead\n`);
process.exitCode = dead.length === 0 ? 0 : 1;
