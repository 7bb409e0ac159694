import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeAudit } from '../../test/support/fakes.js';
import { AppError } from '../common/errors/app-error.js';
import { type Transaction } from '../database/transactions.js';
import { type DeliveriesService } from '../deliveries/deliveries.service.js';
import { type RedemptionsService, type Reservation } from '../redemptions/redemptions.service.js';
import { OrderPlacementService } from './order-placement.service.js';
import { type NewOrder } from './order.types.js';
import { type OrdersRepository } from './orders.repository.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const TRANSACTION = {} as Transaction;
const CREATED = new Date(Date.UTC(2026, 10, 21));
const DRAFT: NewOrder = {
  id: ORDER,
  shopId: SHOP,
  serverId: '655f1c2ab1e4a9d3f0c81260',
  nickname: 'Steve_42',
  email: 'Steve@example.com',
  buyerKey: 'steve@example.com',
  status: 'open',
  paymentStatus: 'pending',
  deliveryStatus: 'none',
  items: [],
  itemCount: 1,
  subtotalMinor: 1_000,
  discount: null,
  totalMinor: 1_000,
  currency: 'EUR',
  createdAt: CREATED,
  paidAt: null,
  expiresAt: new Date(CREATED.getTime() + 3_600_000),
  isFirstPurchase: null,
  payments: [],
  reversals: [],
  history: [],
  accessTokenHash: 'hash',
};

let steps: string[];
let stored: NewOrder[];
let takenOff: number | AppError;
let reservations: Reservation[];
let audit: FakeAudit;
let service: OrderPlacementService;

beforeEach(() => {
  steps = [];
  stored = [];
  reservations = [];
  takenOff = 100;
  audit = new FakeAudit();
  const orders = {
    hasPaid: () => Promise.resolve(false),
    insert: (order: NewOrder) => Promise.resolve(void stored.push(order)),
  } as unknown as OrdersRepository;
  const redemptions = {
    reserve: (_shopId: string, request: Reservation) => {
      reservations.push(request);
      if (typeof takenOff !== 'number') return Promise.reject(takenOff);
      return Promise.resolve({ discountId: 'discount', code: request.code, amountMinor: takenOff });
    },
    redeem: (shopId: string, orderId: string) => Promise.resolve(void steps.push(`redeem ${shopId} ${orderId}`)),
  } as unknown as RedemptionsService;
  const deliveries = {
    queue: ({ id }: NewOrder) => Promise.resolve(void steps.push(`queue ${id}`)),
  } as unknown as DeliveriesService;
  service = new OrderPlacementService(orders, redemptions, deliveries, audit.asService);
});

describe('placing an order', () => {
  it('stores it open at its full price without a code, and tells the log that a buyer did it', async () => {
    expect(await service.place(DRAFT, undefined, TRANSACTION)).toEqual(DRAFT);
    expect(stored).toEqual([DRAFT]);
    expect([reservations, steps]).toEqual([[], []]);
    expect(audit.entries).toEqual([
      { author: { shopId: SHOP, principal: 'buyer' }, action: 'order.created', subjectId: ORDER },
    ]);
  });

  it('takes off what the reserved code gives', async () => {
    const order = await service.place(DRAFT, 'WELCOME', TRANSACTION);
    expect(order).toMatchObject({ status: 'open', totalMinor: 900, discount: { code: 'WELCOME', amountMinor: 100 } });
    expect(reservations).toMatchObject([{ orderId: ORDER, buyerKey: 'steve@example.com', now: CREATED }]);
    expect(steps).toEqual([]);
  });

  it('is refused with its code, rather than stored at another price', async () => {
    takenOff = new AppError('discount_not_applicable');
    await expect(service.place(DRAFT, 'WELCOME', TRANSACTION)).rejects.toBe(takenOff);
    expect([stored, audit.entries]).toEqual([[], []]);
  });

  it('completes an order that costs nothing at once: no provider will tell that it is paid', async () => {
    takenOff = 1_000;
    const order = await service.place(DRAFT, 'FREE', TRANSACTION);
    expect(order).toMatchObject({
      status: 'completed',
      paymentStatus: 'paid',
      deliveryStatus: 'queued',
      paidAt: CREATED,
      isFirstPurchase: true,
      totalMinor: 0,
    });
    expect(stored).toEqual([order]);
    expect(steps).toEqual([`redeem ${SHOP} ${ORDER}`, `queue ${ORDER}`]);
  });
});
