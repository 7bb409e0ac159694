import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateObjectSize } from 'bson';
import { aDiscount, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const MOST_ITEMS = 50;
const MOST_COMMANDS = 20;
/** What is written after a checkout, in the background. */
const LATER = /^(?:outbox|owner_notices$|mailbox_counts$)/;

describe('What a checkout stores', () => {
  let app: TestApp;
  let records: Records;
  let shop: TestShop;
  /** The size of all documents of the database that a checkout itself writes, in bytes of BSON. */
  const storedBytes = async (): Promise<number> => {
    let bytes = 0;
    const names = (await records.db.listCollections().toArray()).map(({ name }) => name);
    for (const name of names.filter((one) => !LATER.test(one))) {
      for await (const document of records.db.collection(name).find()) bytes += calculateObjectSize(document);
    }
    return bytes;
  };

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aShop(app.api);
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('stores no more for a checkout when the commands of the products are longer', async () => {
    const commands = Array<string>(MOST_COMMANDS).fill(`give {nickname} ${'x'.repeat(440)}`);
    const serverId = await aServer(app.api, shop);
    const { code: discountCode } = await aDiscount(app.api, shop, { value: 100 });
    const sizeWith = async (fields: object, products = MOST_ITEMS): Promise<number> => {
      const items: object[] = [];
      for (let count = 0; count < products; count++) {
        items.push({ productId: await aProduct(app.api, shop, fields), quantity: 1 });
      }
      const body = { items, serverId, nickname: 'Steve_42', email: 'buyer@example.com', discountCode };
      const before = await storedBytes();
      expectSuccess(await app.api.post(`/checkout/${shop.shopId}/orders`, body));
      return (await storedBytes()) - before;
    };
    const name = 'N'.repeat(120);
    // The first order of a buyer with nothing to pay stores the claims of the buyer. The next ones find them.
    await sizeWith({ name, commands: [] }, 1);
    const [without, large] = [await sizeWith({ name, commands: [] }), await sizeWith({ name, commands })];
    expect(large).toBe(without);
    expect(large).toBeLessThan(70_000);
  });
});
