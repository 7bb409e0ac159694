import { DAY_MS } from '../../src/lib/time/durations.js';
import { acknowledge, type DeliveringShop, lease, type Leased } from '../deliveries/delivery-actors.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { type TestApp } from '../support/test-app.js';

const TIMES = {
  deliveries: ['dueAt', 'deliveredAt'],
  entitlements: ['startsAt', 'endsAt', 'endDueAt'],
} as const;

/** Lets days pass in a shop: everything that has a time there is that much older. */
export async function passDays(app: TestApp, { shopId }: { readonly shopId: string }, days: number): Promise<void> {
  await inDatabase(app, async (db) => {
    for (const [collection, fields] of Object.entries(TIMES)) {
      const records = db.collection(collection);
      for (const record of await records.find({ shopId: idOf(shopId) }).toArray()) {
        const times = fields.flatMap((field) => {
          const at: unknown = record[field];
          return at instanceof Date ? [[field, new Date(at.getTime() - days * DAY_MS)]] : [];
        });
        if (times.length > 0) await records.updateOne({ _id: record._id }, { $set: Object.fromEntries(times) });
      }
    }
  });
}

/** What the plugin runs now. It reports that all of it was delivered. */
export async function played(app: TestApp, shop: DeliveringShop): Promise<readonly string[]> {
  const leased = await lease(app.api, shop);
  for (const one of leased) await acknowledge(app.api, shop, one);
  return leased.flatMap(({ commands }: Leased) => commands);
}
