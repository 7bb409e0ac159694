import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { directTransactions, FakeAudit, FakeProviderHealth } from '../../../test/support/fakes.js';
import { aPayment } from '../../../test/support/payments.js';
import { accountWith } from '../../../test/support/provider-accounts.js';
import { AppError } from '../../domain/errors/app-error.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type Order } from '../../orders/order/order.types.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type ActiveAccount, type PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { type PaymentInboxService } from '../inbox/payment-inbox.service.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import { MAX_ATTEMPTS } from './payment-rules.js';
import { type OpenPayment, type Payment } from './payment.types.js';
import { type PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';
import { type CreatedPayment, type NewPayment } from '../providers/provider.js';

const HOME = 'https://sky.shops.localhost';
const ORDER = {
  id: aPayment().orderId,
  shopId: aPayment().shopId,
  status: 'open',
  paymentStatus: 'pending',
  totalMinor: 1999,
  currency: 'EUR',
  expiresAt: new Date(Date.now() + 3_600_000),
  payments: [],
} as unknown as Order;
const ACCOUNT = accountWith({});

let order: Order;
let stored: Payment[];
/** What the provider has reported of the last payment. */
let reports: PaymentEventType[];
/** The payments that were requested from the provider. */
let requested: NewPayment[];
let respond: () => CreatedPayment;
/** Whether the shop is open, and whether its provider can be queried for payments. */
let isOpen: boolean;
let isQueryable: boolean;
let audit: FakeAudit;
let attempts: PaymentAttemptsService;
let service: PaymentsService;

/** Payments in memory, with the repository's conditions. */
const repository: Pick<PaymentsRepository, 'findLatest' | 'findByPaymentId' | 'insert' | 'markCreated'> = {
  findLatest: () => Promise.resolve(stored.at(-1) ?? null),
  findByPaymentId: (_provider, paymentId) => Promise.resolve(stored.find((one) => one.paymentId === paymentId) ?? null),
  insert: (shopId, values) => {
    if (stored.some(({ attempt }) => attempt === values.attempt)) return Promise.reject(new AppError('state_conflict'));
    const none = { paymentId: null, url: null, expiresAt: null, dueAt: null, checks: 0 };
    const payment: Payment = { id: `p${values.attempt}`, shopId, state: 'creating', ...none, ...values };
    stored.push(payment);
    return Promise.resolve(payment);
  },
  markCreated: (_shopId, id, created) => {
    const at = stored.findIndex((one) => one.id === id && one.state === 'creating');
    const payment = stored[at];
    if (payment === undefined) return Promise.resolve(null);
    stored[at] = { ...payment, ...created, state: 'created' };
    return Promise.resolve(stored[at]);
  },
};

beforeEach(() => {
  order = ORDER;
  stored = [];
  reports = [];
  requested = [];
  isOpen = true;
  isQueryable = false;
  respond = () => ({ paymentId: 'pay-1', url: 'https://pay.example.com/1', expiresAt: ORDER.expiresAt });
  audit = new FakeAudit();
  const provider = {
    name: 'test',
    title: 'Test payment',
    chargeRule: (currency: string) => (currency === 'EUR' ? { minimumMinor: 100, stepMinor: 1 } : null),
    get fetch() {
      return isQueryable ? () => Promise.resolve([]) : undefined;
    },
    create: (payment: NewPayment) => {
      requested.push(payment);
      return respond();
    },
  };
  const active = { provider, account: ACCOUNT } as unknown as ActiveAccount;
  attempts = new PaymentAttemptsService(
    repository as PaymentsRepository,
    { reportsOf: () => Promise.resolve(reports) } as unknown as PaymentInboxService,
    new FakeProviderHealth().asService,
    audit.asService,
    directTransactions,
  );
  service = new PaymentsService(
    attempts,
    {
      find: (_: string, name: string) => Promise.resolve(name === 'test' ? active : null),
      list: (shopId: string) => Promise.resolve(shopId === ORDER.shopId ? [active] : []),
    } as PaymentAccountsService,
    { getByToken: () => Promise.resolve(order) } as unknown as OrdersService,
    {
      publicSettingsOf: (id: string) =>
        isOpen
          ? Promise.resolve({ id, uniqueName: 'sky', verifiedHostname: null, currency: 'EUR', origins: [] })
          : Promise.reject(new AppError('shop_not_found')),
    } as unknown as ShopsService,
    { platformDomain: 'shops.localhost', environment: 'production' } as AppConfig,
  );
});

const create = (choice: object = {}): Promise<OpenPayment> =>
  service.create(ORDER.id, 'sho_token', { provider: 'test', ...choice });

describe('PaymentsService.create', () => {
  it('stores the payment before the request to the provider, and its response afterwards', async () => {
    respond = () => {
      expect(stored).toEqual([expect.objectContaining({ state: 'creating', attempt: 1, amountMinor: 1999 })]);
      return { paymentId: 'pay-1', url: 'https://pay.example.com/1', expiresAt: ORDER.expiresAt };
    };
    expect(await create({ successUrl: `${HOME}/thanks` })).toEqual(stored[0]);
    expect(stored[0]).toMatchObject({ state: 'created', paymentId: 'pay-1' });
    expect(requested).toEqual([
      expect.objectContaining({ id: 'p1', successUrl: `${HOME}/thanks`, cancelUrl: HOME, expiresAt: ORDER.expiresAt }),
    ]);
  });

  it('records one audit entry of the buyer', async () => {
    await create();
    await create();
    expect(audit.entries).toEqual([
      {
        author: { shopId: ORDER.shopId, principal: 'buyer' },
        action: 'order.payment_started',
        subjectId: ORDER.id,
        changes: [{ field: 'provider', before: null, after: 'test' }],
      },
    ]);
  });

  it('repeats the same request when the provider did not respond', async () => {
    respond = () => {
      throw new AppError('provider_unavailable');
    };
    await expect(create()).rejects.toThrow(new AppError('provider_unavailable'));
    respond = () => ({ paymentId: 'pay-1', url: 'https://pay.example.com/1', expiresAt: ORDER.expiresAt });
    await create({ successUrl: `${HOME}/another` });
    expect(requested[1]).toEqual({ ...requested[0] });
    expect(stored).toHaveLength(1);
  });

  it('returns the payment that a parallel request stored first', async () => {
    const [first, second] = await Promise.all([create(), create()]);
    expect(second).toEqual(first);
    expect(stored).toHaveLength(1);
  });

  it('creates a new payment after the end of the last one, up to the limit of attempts', async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const paymentId = `pay-${attempt}`;
      respond = () => ({ paymentId, url: 'https://pay.example.com', expiresAt: new Date(0) });
      expect(await create()).toMatchObject({ attempt, paymentId });
    }
    await expect(create()).rejects.toMatchObject({
      code: 'order_not_payable',
      message: 'The order has reached the limit of payment attempts with this provider',
    });
  });

  it('creates a second payment while the money of the first is on its way only when the buyer confirms it', async () => {
    const first = await create();
    order = { ...ORDER, paymentStatus: 'processing' };
    reports = ['payment.processing'];
    await expect(create()).rejects.toThrow(new AppError('payment_processing'));
    expect(stored).toEqual([first]);
    respond = () => ({ paymentId: 'pay-2', url: 'https://pay.example.com/2', expiresAt: ORDER.expiresAt });
    const second = await create({ confirmSecondPayment: true });
    expect(second).toMatchObject({ attempt: 2, paymentId: 'pay-2' });
    reports = [];
    expect(await create({ confirmSecondPayment: true })).toEqual(second);
  });

  it('creates no payment of an amount that the provider cannot charge, and says which it can', async () => {
    order = { ...ORDER, totalMinor: 99 };
    const message = 'Test payment can charge 1.00 EUR or more, not 0.99 EUR';
    await expect(create()).rejects.toMatchObject({ code: 'amount_not_chargeable', message });
    expect([stored, requested]).toEqual([[], []]);
  });

  it('requires a payable order, a method of the shop and addresses on its front end', async () => {
    await expect(create({ provider: 'custom' })).rejects.toMatchObject({
      code: 'provider_not_found',
      message: 'The shop has no such payment method',
    });
    await expect(create({ cancelUrl: 'https://evil.example.com' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    order = { ...ORDER, status: 'cancelled' };
    await expect(create()).rejects.toThrow(new AppError('order_not_payable'));
    expect([stored, requested]).toEqual([[], []]);
  });

  it("finds a payment by the provider's id as soon as the provider has it", async () => {
    expect(await attempts.findByPaymentId('test', 'pay-1')).toBeNull();
    const payment = await create();
    expect(await attempts.findByPaymentId('test', 'pay-1')).toEqual(payment);
  });

  it('returns null for the id of a payment that the provider has not confirmed', async () => {
    stored = [{ ...aPayment(), state: 'creating' }];
    expect(await attempts.findByPaymentId('test', 'pay-1')).toBeNull();
  });

  it('schedules a check after ten minutes for a provider that can be queried', async () => {
    stopClock(new Date());
    try {
      expect(await create()).toMatchObject({ dueAt: null });
      stored = [];
      isQueryable = true;
      expect(await create()).toMatchObject({ dueAt: new Date(Date.now() + 10 * MINUTE_MS) });
    } finally {
      startClock();
    }
  });

  it('uses one return address for both outcomes in createFor', async () => {
    const page = `${HOME}/orders/1`;
    expect(await service.createFor(order, { provider: 'test' }, page)).toEqual(stored[0]);
    expect(requested).toMatchObject([{ successUrl: page, cancelUrl: page }]);
    isOpen = false;
    await expect(service.createFor(order, { provider: 'test' }, page)).rejects.toMatchObject({
      code: 'shop_not_found',
    });
  });

  it.each([new AppError('service_unavailable'), new Error('broken'), new AppError('state_conflict')])(
    'creates no payment when it cannot be stored: %s',
    async (failure) => {
      const earlier = { ...aPayment(), expiresAt: new Date(0) };
      const isConflict = failure instanceof AppError && failure.code === 'state_conflict';
      let isFirst = true;
      jest.spyOn(repository, 'insert').mockRejectedValue(failure);
      jest.spyOn(repository, 'findLatest').mockImplementation(() => {
        // After a conflict there is nothing: the record that caused it is gone.
        const latest = isFirst || !isConflict ? earlier : null;
        isFirst = false;
        return Promise.resolve(latest);
      });
      await expect(create()).rejects.toBe(failure);
      expect(requested).toEqual([]);
      jest.restoreAllMocks();
    },
  );

  it.each([null, { ...aPayment(), state: 'creating' as const }])(
    'returns state_conflict when the created payment was not stored: %j',
    async (latest) => {
      jest.spyOn(repository, 'markCreated').mockResolvedValue(null);
      const found = jest.spyOn(repository, 'findLatest').mockResolvedValue(null);
      respond = () => {
        found.mockResolvedValue(latest);
        return { paymentId: 'pay-1', url: 'https://pay.example.com/1', expiresAt: ORDER.expiresAt };
      };
      await expect(create()).rejects.toMatchObject({ code: 'state_conflict' });
      jest.restoreAllMocks();
    },
  );
});

describe('PaymentsService.methods', () => {
  it('returns the accounts of an open shop', async () => {
    expect((await service.methods(ORDER.shopId, undefined)).map(({ provider }) => provider.name)).toEqual(['test']);
    expect(await service.methods(ORDER.shopId, '0.99')).toEqual([]);
    expect(await service.methods(ORDER.shopId, '1')).toHaveLength(1);
    expect(await service.methodsOf(ORDER.shopId, { totalMinor: null, currency: 'USD' })).toEqual([]);
    isOpen = false;
    await expect(service.methods(ORDER.shopId, undefined)).rejects.toMatchObject({ code: 'shop_not_found' });
  });
});
