import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording } from '../../../test/support/fakes.js';
import { orderVisit, shownBy, storefrontFrame, textOf } from '../../../test/support/pages.js';
import { shopWith } from '../../../test/support/shops.js';
import { type PublicCatalogueService } from '../../catalogue/products/public-catalogue.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type NicknameChange } from '../../orders/nickname-changes/nickname-change.types.js';
import { type NicknameChangesService } from '../../orders/nickname-changes/nickname-changes.service.js';
import { type Order } from '../../orders/order/order.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type BuyerOrdersService } from '../../payments/buyer-orders/buyer-orders.service.js';
import { type OpenPayment } from '../../payments/payments/payment.types.js';
import { type ActiveAccount } from '../../payments/accounts/payment-accounts.service.js';
import { type PaymentsService } from '../../payments/payments/payments.service.js';
import { type WholeShop } from '../../shops/shops/shop.types.js';
import { OrderPagesService } from './order-pages.service.js';

const ORDER = '655f1c2ab1e4a9d3f0c8125a';
const OTHER = '655f1c2ab1e4a9d3f0c8125b';
const PAGE = `/shops/sky-realm/orders/${ORDER}`;
/** Who the page says the buyer is. */
const BUYER = { address: '192.0.2.7', orderToken: undefined, isBuyer: true };
const CODE = { verificationCode: '12345678', newNickname: 'Alex_42' };

/** A request of the browser that has opened the page. */
const visit = (orderId = ORDER) => orderVisit(orderId, shop);

let calls: Call[];
let order: Order;
let shop: WholeShop;
let pay: () => Promise<OpenPayment>;
let rename: () => Promise<NicknameChange>;
let sendsCodes: boolean;
let pages: OrderPagesService;

const failing = (code: ErrorCode) => (): Promise<never> => Promise.reject(new AppError(code));
const paidAt = (url: string) => (): Promise<OpenPayment> => Promise.resolve({ url } as OpenPayment);
const alertOf = (html: string): string => textOf(html, 'alert');
const named = (name: string): Call[] => calls.filter(([called]) => called === name);

beforeEach(() => {
  [calls, sendsCodes] = [[], true];
  order = {
    ...{
      id: ORDER,
      number: 1042,
      shopId: SHOP,
      nickname: 'Steve_42',
      discount: null,
      totalMinor: 1998,
      currency: 'EUR',
      paidAt: null,
    },
    ...{ status: 'open', paymentStatus: 'pending', deliveryStatus: 'none', items: [], reversals: [] },
    ...{ createdAt: new Date(), expiresAt: new Date(Date.now() + HOUR_MS) },
  } as unknown as Order;
  shop = shopWith({ supportEmail: 'help@example.com' });
  pay = paidAt('https://pay.example/1');
  rename = () => Promise.resolve({} as NicknameChange);
  pages = new OrderPagesService(
    recording<OrdersService>(calls, {
      findPublic: (id) => Promise.resolve(id === ORDER ? order : null),
    }),
    recording<BuyerOrdersService>(calls, {
      findPublic: (id) =>
        Promise.resolve(
          id === ORDER
            ? {
                ...{ order, shop, deliveryStatus: order.deliveryStatus, lines: [], payment: null, server: null },
                right: { until: null, productIds: [] },
                progress: { items: [], received: 'nothing', endedAttempt: null, isRenamable: true },
              }
            : null,
        ),
    }),
    recording<PaymentsService>(calls, {
      methodsOf: () => Promise.resolve([{ provider: { name: 'test', title: 'Test payment' } } as ActiveAccount]),
      createFor: () => pay(),
    }),
    recording<NicknameChangesService>(calls, {
      request: () => Promise.resolve(),
      change: () => rename(),
      sendsCodes: () => sendsCodes,
    }),
    recording<PublicCatalogueService>(calls, { productsOf: () => Promise.resolve(new Map()) }),
    storefrontFrame,
  );
});

describe('show', () => {
  it('shows the order of the cookie with the ways to pay of its shop', async () => {
    const { status, html } = await pages.show(visit(), undefined);
    expect(status).toBe(200);
    expect(textOf(html, 'payment')).toBe('Not paid yet');
    for (const end of ['payment', 'nickname-code', 'nickname']) expect(html).toContain(`action="${PAGE}/${end}"`);
    expect(html).toContain('name="provider" value="test"');
    expect(html).toContain('href="/shops/sky-realm/"');
  });

  it('shows no form for a code when emails are off, and sends the buyer to the shop', async () => {
    sendsCodes = false;
    order = { ...order, deliveryStatus: 'queued' };
    const { html } = await pages.show(visit(), undefined);
    for (const end of ['nickname-code', 'nickname']) expect(html).not.toContain(`action="${PAGE}/${end}"`);
    expect(html).toContain('The shop can change it until the delivery begins.');
  });

  it('throws page_not_found when the order does not exist', async () => {
    await expect(pages.show(visit(OTHER), undefined)).rejects.toMatchObject({ code: 'page_not_found' });
  });

  it('shows the order of a closed shop, without a query for ways to pay and for its catalogue', async () => {
    shop = { ...shop, isActive: false };
    const { html } = await pages.show(visit(), undefined);
    expect(html).not.toContain('name="provider"');
    expect([named('methodsOf'), named('productsOf')]).toEqual([[], []]);
  });

  it.each([
    ['code', /^We have sent a code/],
    ['name', /^The order is now for the player Steve_42\.$/],
    ['<b>', /^$/],
  ])('says what the form before has done: %s', async (done, text) => {
    expect(textOf((await pages.show(visit(), done)).html, 'status')).toMatch(text);
  });

  it('shows nothing of an order of another shop', async () => {
    const elsewhere = orderVisit(ORDER, { ...shop, id: OTHER });
    await expect(pages.show(elsewhere, undefined)).rejects.toMatchObject({ code: 'page_not_found' });
  });
});

describe('pay', () => {
  it('creates the payment that the buyer chose, which leads back to the page, and forwards to it', async () => {
    const form = { provider: 'test', formToken: 'x', successUrl: 'https://evil.example' };
    const { status, html } = shownBy(await pages.pay(visit(), form));
    expect(named('createFor')).toEqual([
      ['createFor', order, { provider: 'test', confirmSecondPayment: false }, `https://api.example${PAGE}`],
    ]);
    expect(status).toBe(200);
    expect(html).toContain('content="0; url=https://pay.example/1"');
  });

  it('confirms a second payment only with the form that warns of it', async () => {
    expect((await pages.show(visit(), undefined)).html).not.toContain('confirmSecondPayment');
    order = { ...order, paymentStatus: 'processing' };
    const { html } = await pages.show(visit(), undefined);
    expect(textOf(html, 'payment')).toBe('Your bank is confirming the payment. This can take several days');
    expect(html).toContain('If you pay now, you may pay twice');
    expect(html).toContain('>Pay once more with Test payment<');
    expect(html).toContain('name="confirmSecondPayment" value="true"');
    await pages.pay(visit(), { provider: 'test', confirmSecondPayment: 'true' });
    expect(named('createFor')[0]?.[2]).toEqual({ provider: 'test', confirmSecondPayment: true });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//pay.example'])(
    'refuses to forward the buyer to %s',
    async (url) => {
      pay = paidAt(url);
      const { status, html } = shownBy(await pages.pay(visit(), { provider: 'test' }));
      expect([status, alertOf(html)]).toEqual([503, expect.stringMatching(/^The payment provider is not responding/)]);
      expect(html).not.toContain(url);
    },
  );

  it('says why it cannot be paid, and shows the state that it has then', async () => {
    pay = () => {
      order = { ...order, status: 'completed', paymentStatus: 'paid', paidAt: new Date() };
      return failing('order_not_payable')();
    };
    const { status, html } = shownBy(await pages.pay(visit(), { provider: 'test' }));
    expect([status, alertOf(html)]).toEqual([409, 'This order cannot be paid now. Its status is shown below.']);
    expect(textOf(html, 'payment')).toMatch(/^Paid on/);
    expect(html).not.toContain('name="provider"');
  });

  it('sends no request to a provider for a form with other fields', async () => {
    const { status } = shownBy(await pages.pay(visit(), { provider: 'test', extra: '1' }));
    expect([status, named('createFor')]).toEqual([400, []]);
  });

  it('passes on an error that is not about what the buyer did', async () => {
    pay = () => Promise.reject(new Error('the database is down'));
    await expect(pages.pay(visit(), { provider: 'test' })).rejects.toThrow('the database is down');
  });
});

describe('the nickname', () => {
  it('emails a code to the buyer of the order, and says so on the page', async () => {
    expect(await pages.requestCode(visit())).toEqual({ location: `${PAGE}?done=code` });
    expect(named('request')).toEqual([['request', ORDER, BUYER]]);
  });

  it('changes the nickname with the code of the buyer, and says so on the page', async () => {
    expect(await pages.rename(visit(), CODE)).toEqual({ location: `${PAGE}?done=name` });
    expect(named('change')).toEqual([['change', ORDER, BUYER, '12345678', 'Alex_42']]);
  });

  it.each([
    ['verification_code_invalid', 400, /^The code is wrong/],
    ['attempts_exhausted', 429, /^There were too many wrong codes/],
  ] as const)('says what to do about %s, with the name that was entered', async (code, status, text) => {
    rename = failing(code);
    const page = shownBy(await pages.rename(visit(), CODE));
    expect(page.status).toBe(status);
    expect(alertOf(page.html)).toMatch(text);
    expect(page.html).toContain('value="Alex_42"');
    expect(page.html).not.toContain('12345678');
  });

  it('rejects a nickname with the code and the headers of the API', async () => {
    const headers = { 'Retry-After': '60' };
    rename = () => Promise.reject(new AppError('attempts_exhausted', { headers }));
    const { error } = shownBy(await pages.rename(visit(), CODE));
    expect(error).toMatchObject({ code: 'attempts_exhausted', headers });
    expect((await pages.show(visit(), undefined)).error).toBeUndefined();
  });

  it('says that it has changed when the form was sent twice, and the first one has used the code', async () => {
    rename = () => {
      order = { ...order, nickname: 'Alex_42' };
      return failing('verification_code_invalid')();
    };
    expect(await pages.rename(visit(), CODE)).toEqual({ location: `${PAGE}?done=name` });
  });

  it.each(['attempts_exhausted', 'nickname_locked'] as const)(
    'says what to do about %s also for the name that the order has',
    async (code) => {
      rename = failing(code);
      const { html } = shownBy(await pages.rename(visit(), { ...CODE, newNickname: 'Steve_42' }));
      expect(alertOf(html)).not.toBe('');
    },
  );

  it('shows a nickname again without what is longer than a name, and changes nothing', async () => {
    const { status, html } = shownBy(await pages.rename(visit(), { ...CODE, newNickname: 'x'.repeat(33) }));
    expect(status).toBe(400);
    expect(html).toContain(`value="${'x'.repeat(32)}"`);
    expect(named('change')).toEqual([]);
  });
});
