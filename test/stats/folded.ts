import { ObjectId } from 'mongodb';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { type TestApp } from '../support/test-app.js';

/** Waits until the background job has folded everything that happened in a shop. */
export const folded = (app: TestApp, shopId: string): Promise<boolean> =>
  eventually(() =>
    inDatabase(app, async (database) => {
      const ofShop = { shopId: new ObjectId(shopId) };
      const pending = await database.collection('stats_ledger').countDocuments({ ...ofShop, pending: true });
      const state = await database.collection('stats_states').findOne(ofShop);
      return pending === 0 && state?.['phase'] === 'ready';
    }),
  );
