// The load of a busy shop: buyers, the storefront, the plugin of a game server, staff, and clients that make mistakes.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { signed } from '../support/signed-webhook.js';

/** How often each begins in a second. The service is half of the time busy with it on a core of 2026. */
const RATES = {
  readCatalogue: 20,
  quote: 4,
  buy: 4,
  deliver: 2,
  listOrders: 3,
  readStatistics: 1,
  readServerStatus: 5,
  logIn: 0.2,
  refresh: 0.5,
  sendMalformed: 2,
  sendWithoutAccess: 2,
  requestUnknown: 2,
};
/** Every so many buyers: one sends each request twice, as after a lost response, and one never pays. */
const [REPEATS_EVERY, UNPAID_EVERY] = [10, 10];
/** How many run at once. What is due beyond that is left out, so that a machine with too little time gets less load, and no queue. */
const MOST_AT_ONCE = 10;
const LEASED_AT_ONCE = 50;
const PATIENCE_MS = 60_000;
const POLL_MS = 200;
const KEPT_FAILURES = 10;
/** How long after a rest no read is measured: those of the held connections have piled up. */
const RECOVERY_MS = 1_000;

const objectId = () => randomBytes(12).toString('hex');

export class Load {
  /** How much went wrong, and the messages of the first failures. */
  failures = { count: 0, first: [] };
  /** How much was due while too much was running. */
  leftOut = 0;
  /** Order id -> how often the plugin got its delivery. */
  #deliveries = new Map();
  #paid = new Set();
  #buyers = 0;
  /** How long each read of the catalogue took from the moment at which it was due, in milliseconds; for ever when it was left out. */
  #reads = [];
  #disturbedUntil = -Infinity;
  #running = new Set();
  #isDelivering = false;
  #isResting = false;
  #stopped = false;
  #refreshToken;

  constructor(client, shop) {
    this.client = client;
    this.shop = shop;
  }

  /** Sends requests until `stop` is called. */
  async start() {
    const kinds = Object.entries(RATES).map(([name, perSecond]) => ({ name, everyMs: 1_000 / perSecond, due: 0 }));
    const began = performance.now();
    for (const kind of kinds) kind.due = began + Math.random() * kind.everyMs;
    while (!this.#stopped) {
      const next = kinds.reduce((first, kind) => (kind.due < first.due ? kind : first));
      await pause(Math.max(0, next.due - performance.now()));
      if (!this.#isResting) this.#begin(next);
      next.due += next.everyMs;
    }
  }

  /** Begins to send no more, and waits until every response has come and every paid order is delivered, or for a minute. */
  async stop() {
    this.#stopped = true;
    await Promise.all(this.#running);
    const until = performance.now() + PATIENCE_MS;
    while ([...this.#paid].some((id) => !this.#deliveries.has(id)) && performance.now() < until) {
      await this.#attempt(() => this.deliver());
      await pause(POLL_MS);
    }
  }

  /** Measures the reads from now on. */
  measure() {
    this.#reads = [];
  }

  /** The number of reads since `measure`, and how long half of them and all but a hundredth took at most, in milliseconds. */
  measured() {
    const times = this.#reads.toSorted((one, other) => one - other);
    const within = (share) => times[Math.ceil(times.length * share) - 1];
    return { reads: times.length, p50: within(0.5), p99: within(0.99) };
  }

  /** Does something while no request of the load runs. No read is measured meanwhile, and shortly after it. */
  async atRest(work) {
    [this.#isResting, this.#disturbedUntil] = [true, Infinity];
    try {
      await Promise.all(this.#running);
      return await work();
    } finally {
      [this.#isResting, this.#disturbedUntil] = [false, performance.now() + RECOVERY_MS];
    }
  }

  /** How many orders were paid, and how many of them were not delivered exactly once. */
  sales() {
    const wrong = [...this.#paid].filter((id) => this.#deliveries.get(id) !== 1).length;
    const unpaid = [...this.#deliveries.keys()].filter((id) => !this.#paid.has(id)).length;
    return { paid: this.#paid.size, wrong: wrong + unpaid };
  }

  #begin({ name, due }) {
    if (this.#running.size >= MOST_AT_ONCE) {
      this.leftOut += 1;
      if (name === 'readCatalogue' && this.#isCalm()) this.#reads.push(Infinity);
      return;
    }
    const running = this.#attempt(() => this[name](due));
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  #isCalm() {
    return performance.now() > this.#disturbedUntil;
  }

  async #attempt(work) {
    try {
      await work();
    } catch ({ message }) {
      this.failures.count += 1;
      if (this.failures.first.length < KEPT_FAILURES) this.failures.first.push(message);
    }
  }

  async readCatalogue(due) {
    const { shopId, secretKey } = this.shop;
    const wasCalm = this.#isCalm();
    await this.client.call('GET', `/products/${shopId}`, { headers: secretKey });
    if (wasCalm && this.#isCalm()) this.#reads.push(performance.now() - due);
  }

  /** What the buyer with a number orders. */
  #basket(number) {
    const { productIds, serverId, discountCode } = this.shop;
    const productId = productIds[number % productIds.length];
    const items = [{ productId, quantity: 1 + (number % 3) }];
    const buyer = { nickname: `Steve_${number % 5_000}`, email: `steve${number % 5_000}@example.com` };
    return { items, serverId, ...buyer, ...(number % 4 === 0 && { discountCode }) };
  }

  async quote() {
    const { shopId, secretKey } = this.shop;
    await this.client.call('POST', `/checkout/${shopId}/quote`, {
      headers: secretKey,
      body: this.#basket(++this.#buyers),
    });
  }

  async buy() {
    const { shopId, secretKey } = this.shop;
    const number = ++this.#buyers;
    const body = this.#basket(number);
    const times = number % REPEATS_EVERY === 0 ? 2 : 1;
    const headers = { ...secretKey, 'idempotency-key': randomUUID() };
    const checkOut = () => this.client.call('POST', `/checkout/${shopId}/orders`, { headers, body });
    const order = await checkOut();
    if (times === 2 && (await checkOut()).id !== order.id) throw new Error('a repeated checkout made another order');
    const read = () =>
      this.client.call('GET', `/orders/public/${order.id}`, { headers: { 'x-order-token': order.accessToken } });
    await read();
    if (number % UNPAID_EVERY === 1) return;
    await this.#pay(order, times);
    const { paymentStatus } = await read();
    if (paymentStatus !== 'paid') throw new Error(`a paid order is ${paymentStatus}`);
  }

  async #pay({ id, total, currency }, times) {
    const { path, signingSecret } = this.shop.webhook;
    const payment = { orderId: id, paymentId: `pay_${id}`, amount: total, currency };
    const event = { type: 'payment.succeeded', ...payment, occurredAt: new Date().toISOString() };
    const [body, headers] = signed(event, signingSecret, `msg_${id}`);
    // Before the response: the plugin can get the delivery earlier.
    this.#paid.add(id);
    for (let time = 0; time < times; time++) await this.client.call('POST', path, { headers, body });
  }

  /** As the plugin of one game server: one round after the other. */
  async deliver() {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      await this.#lease();
    } finally {
      this.#isDelivering = false;
    }
  }

  async #lease() {
    const { shopId, serverId, pluginKey: headers } = this.shop;
    const lease = { serverId, limit: LEASED_AT_ONCE };
    const { deliveries } = await this.client.call('POST', `/deliveries/${shopId}/lease`, { headers, body: lease });
    if (deliveries.length === 0) return;
    for (const { orderId } of deliveries) this.#deliveries.set(orderId, (this.#deliveries.get(orderId) ?? 0) + 1);
    const results = deliveries.map(({ deliveryId, attempt }) => ({ deliveryId, attempt, status: 'delivered' }));
    await this.client.call('POST', `/deliveries/${shopId}/ack`, { headers, body: { results } });
  }

  async listOrders() {
    const { shopId, productIds, secretKey: headers } = this.shop;
    const filters = ['', '&paymentStatus=paid', `&productId=${productIds[0]}`, '&nickname=steve_7'];
    const filter = filters[Math.floor(Math.random() * filters.length)];
    await this.client.call('GET', `/orders/${shopId}?limit=50${filter}`, { headers });
  }

  async readStatistics() {
    const { shopId, secretKey: headers } = this.shop;
    const paths = ['comparison?period=30d', 'comparison?period=7d', 'breakdown?by=product&period=30d'];
    await this.client.call('GET', `/stats/${shopId}/${paths[Math.floor(Math.random() * paths.length)]}`, { headers });
  }

  /** Visitors of the shop, who have no connection yet. */
  async readServerStatus() {
    await this.client.call('GET', `/servers/public/${this.shop.serverId}/status`, { isNew: true });
  }

  async logIn() {
    const { accessToken, refreshToken } = await this.client.call('POST', '/auth/login', { body: this.shop.person });
    await this.client.call('GET', '/auth/me', { headers: { authorization: `Bearer ${accessToken}` } });
    const before = this.#refreshToken;
    this.#refreshToken = refreshToken;
    if (before !== undefined) await this.client.call('POST', '/auth/logout', { body: { refreshToken: before } });
  }

  async refresh() {
    const refreshToken = this.#refreshToken;
    if (refreshToken === undefined) return;
    // A token works once, so no other refresh and no logout may use it meanwhile.
    this.#refreshToken = undefined;
    const tokens = await this.client.call('POST', '/auth/refresh', { body: { refreshToken } });
    if (this.#refreshToken === undefined) this.#refreshToken = tokens.refreshToken;
    else await this.client.call('POST', '/auth/logout', { body: { refreshToken: tokens.refreshToken } });
  }

  async sendMalformed() {
    const { shopId, secretKey } = this.shop;
    const headers = { ...secretKey, 'content-type': 'application/json' };
    const body = Math.random() < 0.5 ? '{"items":' : '{"items":[],"serverId":7}';
    await this.client.call('POST', `/checkout/${shopId}/orders`, { headers, body, expected: 400 });
  }

  async sendWithoutAccess() {
    const headers = { 'x-api-key': `shp_${randomBytes(32).toString('base64url')}` };
    await this.client.call('GET', `/products/${this.shop.shopId}`, { headers, expected: 401 });
  }

  async requestUnknown() {
    const { shopId, secretKey: headers } = this.shop;
    const paths = [`/orders/${shopId}/${objectId()}`, `/products/${shopId}/${objectId()}`, '/nothing'];
    const path = paths[Math.floor(Math.random() * paths.length)];
    await this.client.call('GET', path, { headers, expected: 404 });
  }
}
