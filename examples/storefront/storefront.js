// A storefront in one page. It calls the API with a storefront key, which everybody may read. Every string of the API is shown
// with `textContent`, so that nothing in a name or an error becomes a part of the page. The one exception is `descriptionHtml`, which
// the service makes of a description: safe HTML with a few elements.

/** The address of the API, the shop and its storefront key: from the page, or from its address. */
const { api, shop, key } = readSettings();

const ORDER = 'shop-platform-order';
const ATTEMPT = 'shop-platform-attempt';
/** How often the page polls whether the order is paid and delivered. */
const LOOK_MS = 5_000;

/** What a quote could not check. */
const OPEN = { serverId: 'Choose a server', buyer: 'Enter your nickname and your email address' };

/** Product id -> how many the buyer wants. */
const basket = new Map();
let products = [];
let currency = 'EUR';
let methods = [];
/** Whether this page is on the front end of the shop. Only there a payment provider may send the buyer back. */
let isFrontEnd = false;
/** The total that the buyer has seen for this basket; null: none. */
let seenTotal = null;
let timer;

const byId = (id) => document.getElementById(id);

/** The address cannot change a page whose settings are complete: a link must not send buyers to another API. */
function readSettings() {
  const own = Object.fromEntries(
    ['api', 'id', 'key'].map((name) => [name, document.querySelector(`meta[name="shop-${name}"]`).content.trim()]),
  );
  if (own.api && own.id && own.key) return { api: own.api.replace(/\/$/, ''), shop: own.id, key: own.key };
  const query = new URLSearchParams(location.search);
  const [address, id, published] = ['api', 'shop', 'key'].map((name) => query.get(name) ?? '');
  return { api: address.replace(/\/$/, ''), shop: id, key: published };
}

/** What went wrong, in a sentence for the buyer. */
class ShopError extends Error {
  constructor(sentence, isFinal) {
    super(sentence);
    /** Whether the service has rejected the request, so that the same request fails again. */
    this.isFinal = isFinal;
  }
}

/** Calls the API. Returns the data of the envelope, and the response. Throws a ShopError. */
async function call(path, { method = 'GET', body, headers = {} } = {}) {
  let response;
  let envelope;
  try {
    response = await fetch(path.startsWith('http') ? path : api + path, {
      method,
      headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    envelope = await response.json();
  } catch {
    throw new ShopError('The shop cannot be reached. Check your connection, and try again.', false);
  }
  if (envelope.success === true) return { data: envelope.data, response };
  const seconds = response.headers.get('Retry-After');
  const wait = seconds === null ? '' : ` Try again in ${seconds} seconds.`;
  const mayStillRun = response.headers.get('X-Error-Code') === 'idempotency_in_progress';
  throw new ShopError(`${envelope.error}.${wait}`, response.status < 500 && response.status !== 429 && !mayStillRun);
}

const withKey = (options = {}) => ({ ...options, headers: { ...options.headers, 'X-API-Key': key } });

/** All records of a list. The header `Link` has the address of the next page. */
async function all(path) {
  const found = [];
  for (let next = path; next;) {
    const { data, response } = await call(next, withKey());
    found.push(...data);
    const [, link] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
    next = link && new URL(link, api).href;
  }
  return found;
}

/** Runs what a button does, and shows what goes wrong. */
async function attempt(work) {
  byId('error').hidden = true;
  try {
    await work();
  } catch (error) {
    byId('error').textContent = error instanceof ShopError ? error.message : 'Something went wrong on this page.';
    byId('error').hidden = false;
    if (!(error instanceof ShopError)) throw error;
  }
}

/** No currency has more. Of some, such as RSD and IQD, browsers know fewer decimals than ISO 4217, which the API follows. */
const MAX_DECIMALS = 4;

function money(amount, code = currency) {
  const style = { style: 'currency', currency: code, maximumFractionDigits: MAX_DECIMALS };
  return new Intl.NumberFormat(document.documentElement.lang, style).format(amount);
}

/** A new element that contains a string or other elements. */
function element(tag, content, properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...[content].flat());
  return made;
}

function showProduct(product) {
  const { id, name, descriptionHtml, price, compareAtPrice, imageUrls, stock } = product;
  const prices = compareAtPrice === null ? [money(price)] : [element('s', money(compareAtPrice)), ` ${money(price)}`];
  const add = element('button', 'Add', { type: 'button', disabled: stock === 0 });
  add.addEventListener('click', () => put(id, (basket.get(id) ?? 0) + 1));
  const images = imageUrls.slice(0, 1).map((src) => element('img', [], { src, alt: name, loading: 'lazy' }));
  const left = stock === null ? [] : [element('p', stock === 0 ? 'Sold out' : `${stock} left`)];
  const shown = element('article', [
    ...images,
    element('h4', name),
    element('div', [], { innerHTML: descriptionHtml }),
    element('p', prices),
    ...left,
    add,
  ]);
  shown.className = 'product';
  return shown;
}

/** The products by category, then those without one. */
function showCatalogue(categories) {
  const known = new Set(categories.map(({ id }) => id));
  const groups = [
    ...categories.map(({ id, name }) => [name, products.filter(({ categoryId }) => categoryId === id)]),
    ['More', products.filter(({ categoryId }) => !known.has(categoryId))],
  ];
  const filled = groups.filter(([, members]) => members.length > 0);
  byId('catalogue').replaceChildren(
    ...filled.map(([name, members]) => element('section', [element('h3', name), ...members.map(showProduct)])),
  );
}

/** What the shop shows of its sales. `widgets` of the shop names what is on. */
async function showWidgets(widgets) {
  const read = async (name) => (await call(`/widgets/public/${shop}/${name}`)).data;
  if (widgets.includes('monthly_goal')) {
    const { reached, target, percent } = await read('goal');
    byId('goal').textContent = `This month: ${money(reached)} of ${money(target)} (${percent} %)`;
    byId('goal').hidden = false;
  }
  if (widgets.includes('recent_purchases')) {
    const bought = (items) => items.map(({ name, quantity }) => `${quantity} x ${name}`).join(', ');
    const purchases = await read('recent-purchases?limit=5');
    byId('purchases').replaceChildren(
      ...purchases.map(({ nickname, items }) => element('li', `${nickname}: ${bought(items)}`)),
    );
  }
}

function put(productId, quantity) {
  if (quantity > 0) basket.set(productId, quantity);
  else basket.delete(productId);
  showBasket();
}

function showBasket() {
  const lines = [...basket].map(([id, count]) => {
    const less = element('button', 'Remove one', { type: 'button' });
    less.addEventListener('click', () => put(id, count - 1));
    return element('li', [`${count} x ${products.find((product) => product.id === id).name} `, less]);
  });
  byId('lines').replaceChildren(...lines);
  forgetPrice();
}

/** A price that was shown is not that of another basket. */
function forgetPrice() {
  byId('price').hidden = true;
  byId('problems').replaceChildren();
  byId('code-result').textContent = '';
  byId('order').textContent = 'Order';
  seenTotal = null;
}

/** What the buyer typed. The API accepts no empty strings. */
function wanted() {
  const typed = { serverId: 'server', nickname: 'nickname', email: 'email', discountCode: 'code' };
  const fields = Object.entries(typed).map(([name, id]) => [name, byId(id).value.trim()]);
  const items = [...basket].map(([productId, quantity]) => ({ productId, quantity }));
  if (items.length === 0) throw new ShopError('Put something into the basket first.', true);
  return { items, ...Object.fromEntries(fields.filter(([, value]) => value !== '')) };
}

async function checkCode() {
  const { items, serverId, discountCode } = wanted();
  if (discountCode === undefined) throw new ShopError('Enter a code first.', true);
  const orderValue = items.reduce((sum, { productId, quantity }) => sum + quantity * priceOf(productId), 0);
  const only = items.length === 1 ? { productId: items[0].productId } : {};
  const body = { code: discountCode, orderValue: rounded(orderValue), ...only, ...(serverId && { serverId }) };
  const { data } = await call(`/discounts/${shop}/validate`, withKey({ method: 'POST', body }));
  byId('code-result').textContent = data.valid
    ? `The code takes off ${money(data.discountAmount, data.currency)}.`
    : data.reasons.map(({ message }) => `${message}.`).join(' ');
}

const priceOf = (productId) => products.find(({ id }) => id === productId).price;
/** Without the last binary digits of a sum: the API takes no more decimals than the currency has. */
const rounded = (amount) => Number(amount.toFixed(MAX_DECIMALS));

const isWanted = (body) => JSON.stringify(body) === JSON.stringify(wanted());

/** What the order would cost, and everything that is in its way. Returns whether nothing is. */
async function quote() {
  const body = wanted();
  const { data } = await call(`/checkout/${shop}/quote`, withKey({ method: 'POST', body }));
  // The buyer has changed the basket meanwhile, and this is not its price.
  if (!isWanted(body)) return quote();
  byId('subtotal').textContent = money(data.subtotal, data.currency);
  byId('discount').textContent = money(data.discountAmount, data.currency);
  byId('total').textContent = money(data.total, data.currency);
  byId('price').hidden = false;
  byId('order').textContent = `Order for ${money(data.total, data.currency)}`;
  seenTotal = data.total;
  const open = data.unchecked.map((part) => OPEN[part] ?? 'Something is missing');
  const sentences = [...data.problems.map(({ message }) => message), ...open];
  byId('problems').replaceChildren(...sentences.map((sentence) => element('li', `${sentence}.`)));
  return data.orderable;
}

/**
 * The key with which the service recognises a repeated request. It stays the same until there is a response, also when the page
 * is loaded again: a buyer who clicks twice gets one order. Another order gets another key.
 */
function idempotencyKeyFor(body) {
  const text = JSON.stringify(body);
  const [known, sent] = JSON.parse(sessionStorage.getItem(ATTEMPT) ?? '[]');
  if (sent === text) return known;
  const made = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  sessionStorage.setItem(ATTEMPT, JSON.stringify([made, text]));
  return made;
}

/** Orders the basket. When its price is new to the buyer, it only shows the price, and the next click orders. */
async function order() {
  const [before, body] = [seenTotal, wanted()];
  if (!(await quote()) || seenTotal !== before || !isWanted(body)) return;
  try {
    const headers = { 'Idempotency-Key': idempotencyKeyFor(body) };
    const { data } = await call(`/checkout/${shop}/orders`, withKey({ method: 'POST', body, headers }));
    // Not in localStorage: whoever uses this computer next must not see the order.
    sessionStorage.setItem(ORDER, JSON.stringify({ id: data.id, token: data.accessToken }));
    sessionStorage.removeItem(ATTEMPT);
    showOrder(data);
  } catch (error) {
    if (error instanceof ShopError && error.isFinal) sessionStorage.removeItem(ATTEMPT);
    throw error;
  }
}

/** Reads the order of this tab, if there is one. */
async function look() {
  const stored = sessionStorage.getItem(ORDER);
  if (stored === null) return;
  const { id, token } = JSON.parse(stored);
  const { data } = await call(`/orders/public/${id}`, { headers: { 'X-Order-Token': token } });
  showOrder(data);
}

const WORDS = {
  open: 'waits for the payment',
  completed: 'complete',
  pending: 'not paid yet',
  processing: 'your bank is confirming the payment',
  none: 'not before the payment',
  queued: 'waits for the game server',
  leased: 'is being delivered',
  needs_review: 'the shop checks the payment',
};
const inWords = (state) => WORDS[state] ?? state.replaceAll('_', ' ');

/** Creates the payment of the order at a provider, and sends the buyer there. */
async function pay(provider) {
  const { id, token } = JSON.parse(sessionStorage.getItem(ORDER));
  const here = location.origin + location.pathname + location.search;
  const back = isFrontEnd ? { successUrl: here, cancelUrl: here } : {};
  const options = { method: 'POST', headers: { 'X-Order-Token': token }, body: { provider, ...back } };
  const { data } = await call(`/orders/public/${id}/payment`, options);
  location.assign(data.url);
}

function payButton({ provider, title }) {
  const button = element('button', title, { type: 'button' });
  button.addEventListener('click', () => attempt(() => pay(provider)));
  return element('li', button);
}

function showOrder(shown) {
  byId('order-id').textContent = shown.id;
  byId('order-player').textContent = shown.nickname;
  byId('order-total').textContent = money(shown.total, shown.currency);
  byId('order-status').textContent = inWords(shown.status);
  byId('order-payment').textContent = inWords(shown.paymentStatus);
  byId('order-delivery').textContent = inWords(shown.deliveryStatus);
  const isPayable = shown.status === 'open' && ['pending', 'failed'].includes(shown.paymentStatus);
  byId('methods').replaceChildren(...(isPayable ? methods.map(payButton) : []));
  byId('state').hidden = false;
  byId('basket').hidden = true;
  clearTimeout(timer);
  const isMoving = shown.status === 'open' || ['queued', 'leased'].includes(shown.deliveryStatus);
  if (isMoving) timer = setTimeout(() => attempt(look), LOOK_MS);
}

function forgetOrder() {
  clearTimeout(timer);
  sessionStorage.removeItem(ORDER);
  basket.clear();
  showBasket();
  byId('state').hidden = true;
  byId('basket').hidden = false;
}

async function start() {
  if (!api || !shop || !key) throw new ShopError('This page needs ?api=...&shop=...&key=... in its address.', true);
  const [{ data: record }, { data: ways }, categories, found, servers] = await Promise.all([
    call(`/shops/${shop}`, withKey()),
    call(`/payments/public/${shop}/methods`),
    all(`/categories/${shop}`),
    all(`/products/${shop}`),
    all(`/servers/${shop}`),
  ]);
  products = found;
  methods = ways;
  isFrontEnd = new URL(record.frontEndUrl).origin === location.origin;
  ({ currency } = record);
  document.title = record.displayName;
  byId('shop-name').textContent = record.displayName;
  showCatalogue(categories);
  // Buyers can do without them.
  showWidgets(record.widgets).catch(() => undefined);
  byId('server').replaceChildren(...servers.map(({ id, name }) => element('option', name, { value: id })));
  await look();
}

byId('check-code').addEventListener('click', () => attempt(checkCode));
byId('quote').addEventListener('click', () => attempt(quote));
byId('refresh').addEventListener('click', () => attempt(look));
byId('forget').addEventListener('click', forgetOrder);
byId('basket').addEventListener('input', forgetPrice);
byId('basket').addEventListener('submit', (event) => {
  event.preventDefault();
  byId('order').disabled = true;
  void attempt(order).finally(() => {
    byId('order').disabled = false;
  });
});
void attempt(start);
