import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type KeptNamesService } from '../../delivery/deliveries/kept-names.service.js';
import { directTransactions, FakeAudit } from '../../../test/support/fakes.js';
import { type BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type PersonalData, PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { type Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { type BansService } from '../../orders/bans/bans.service.js';
import { type BuyerOrder } from '../../orders/order/order.types.js';
import { type OrderEndingService } from '../../orders/ending/order-ending.service.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type PaymentAttemptsService } from '../../payments/payments/payment-attempts.service.js';
import { BuyerSearchService } from './buyer-search.service.js';
import { BuyersService } from './buyers.service.js';
import { OrderErasureService } from './order-erasure.service.js';

const EMAIL = 'steve@example.com';
const OWNER = { shopId: SHOP, principal: 'user:owner' };
/** One more than a batch. The oldest is the only one for the player `old`. */
const ORDERS = Array.from({ length: 11 }, (_, at) => ({
  ...{ id: `o${at}`, number: at, email: EMAIL, buyerKey: EMAIL, nicknameKey: at === 0 ? 'old' : 'new' },
  ...({ status: 'cancelled', paymentStatus: 'failed', deliveryStatus: 'none', items: [] } as const),
})) satisfies BuyerOrder[];
/** What only the second feature knows. */
const NAMES = 'Old, steve+shop@example.com, Alias';

let done: string[];
let fails: string | null;
let service: BuyersService;

/** A feature that writes down what it does. */
function feature(collection: string, known: Pick<PersonalData, 'nicknames' | 'spellings'> = {}): PersonalData {
  const erasing = (of: string, scrubber: Scrubber) => () => {
    done.push(`${collection}: ${of}, ${scrubber.string('sentence', NAMES)}`);
    return of === fails ? Promise.reject(new Error('killed')) : Promise.resolve();
  };
  return {
    ...{ collection, ...known },
    eraseBuyer: (_, scrubber) => erasing('the buyer', scrubber),
    eraseOrders: (_, ids, scrubber) => erasing(`${ids.length} orders to ${ids.at(-1)}`, scrubber),
  };
}

beforeEach(() => {
  [done, fails] = [[], null];
  const personalData = new PersonalDataRegistry();
  const nicknames = () => Promise.resolve(['Old', 'Alias']);
  personalData.add(
    feature('first'),
    feature('second', { nicknames, spellings: () => Promise.resolve(['steve+shop@example.com']) }),
  );
  const ofBuyer: OrdersService['ofBuyer'] = (_, of) =>
    Promise.resolve(ORDERS.filter(({ nicknameKey }) => !('nicknameKey' in of) || of.nicknameKey === nicknameKey));
  const of: BuyerPseudonyms['of'] = (_, { nicknameKey }) => ({ buyerKey: 'gone@x', nicknameKey: `no ${nicknameKey}` });
  const orders = { ofBuyer } as OrdersService;
  const keptNames = {
    runningOf: () => Promise.resolve([]),
    keepingAmong: () => Promise.resolve(new Set()),
    drop: () => Promise.resolve(),
  } as unknown as KeptNamesService;
  const pseudonyms = { of, allOf: (shopId, key) => [of(shopId, key)] } as BuyerPseudonyms;
  const orderErasure = new OrderErasureService(
    personalData,
    orders,
    { startedOf: () => Promise.resolve(new Set()) } as unknown as PaymentAttemptsService,
    {} as OrderEndingService,
    keptNames,
    directTransactions,
  );
  service = new BuyersService(
    personalData,
    new BuyerSearchService(personalData, orders, keptNames, pseudonyms),
    { countOf: () => Promise.resolve(0) } as unknown as BansService,
    orderErasure,
    new FakeAudit().asService,
    directTransactions,
  );
});

describe('The erasure of a buyer', () => {
  it('gives each feature all names, then erases the orders in batches, and last those that the name finds', async () => {
    await service.erase(OWNER, { nickname: 'Old' }, { reason: 'A letter' });
    const names = 'no old, gone@x, no alias';
    expect(done).toEqual(
      ['the buyer', '10 orders to o10', '1 orders to o0'].flatMap((of) => [
        `first: ${of}, ${names}`,
        `second: ${of}, ${names}`,
      ]),
    );
  });

  it('leaves the orders, by which it can be repeated, when it ends before everything else is erased', async () => {
    fails = 'the buyer';
    await expect(service.erase(OWNER, { email: EMAIL }, { reason: 'A letter' })).rejects.toThrow('killed');
    expect(done).toHaveLength(1);
  });
});
