// What a browser with scripts gets beside the pages of a shop: a basket that counts at once, an order that shows its delivery by itself,
// and buttons that copy addresses. Every page works without it. It knows no rule: it sends the forms of the page, and shows the pages
// that come back.
const AFTER_CLICKS_MS = 250;
const AFTER_TYPING_MS = 500;
const LOOK_AGAIN_MS = 5_000;
const LOOK_AGAIN_AT_LATEST_MS = 60_000;

const main = document.querySelector('main');
const spoken = Object.assign(document.createElement('p'), { className: 'sr', role: 'status' });
document.body.append(spoken);

/** Finds an element again on the next page: it has an id, or else a label. */
function placeOf(element) {
  if (!main.contains(element)) return null;
  const label = element.getAttribute('aria-label');
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  return label === null ? null : `[aria-label="${CSS.escape(label)}"]`;
}

const isBox = ({ type }) => type === 'checkbox' || type === 'radio';

/** What a form contains, by the names of its fields; of boxes also by their values. */
function entriesOf(root) {
  const fields = [...root.querySelectorAll('input, select')].filter(
    ({ name, type }) => name !== '' && type !== 'hidden',
  );
  return new Map(fields.map((field) => [isBox(field) ? `${field.name}=${field.value}` : field.name, field]));
}

/** What the visitor has in a field. */
const entered = (field) => (isBox(field) ? field.checked : field.value);

/** Puts what has changed since a form was sent into the form that came back. */
function keepChanges(next, sent) {
  const now = entriesOf(main);
  for (const [name, field] of entriesOf(next)) {
    const before = now.get(name);
    if (before === undefined || !sent.has(name) || entered(before) === sent.get(name)) continue;
    if (isBox(field)) field.checked = before.checked;
    else field.value = before.value;
  }
}

/** Shows the content of a page, with what is open and entered here, and the focus where it is. @param sent what was entered when the form was sent */
function show(page, sent = new Map()) {
  const next = page.querySelector('main');
  const open = [...main.querySelectorAll('details')].map((one) => one.open);
  next.querySelectorAll('details').forEach((one, index) => (one.open ||= open[index] === true));
  keepChanges(next, sent);
  const focused = document.activeElement;
  const place = placeOf(focused);
  const selection = [focused?.selectionStart ?? null, focused?.selectionEnd ?? null];
  main.replaceChildren(...next.childNodes);
  document.title = page.title;
  const [count, counted] = [document, page].map((one) => one.querySelector('.cart .count'));
  if (count !== null && counted !== null) count.textContent = counted.textContent;
  offerCopies();
  const target = place === null ? null : main.querySelector(place);
  target?.focus({ preventScroll: true });
  if (target?.matches('input') && selection[0] !== null) target.setSelectionRange(...selection);
}

async function pageOf(response) {
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

// --- The basket

let timer;
let running = null;

const basketOf = (element) => element.closest?.('form.basket') ?? null;

/** Sends the basket, and shows what it costs. When that fails, the browser sends it, and the visitor sees what the service says. */
async function count(form, button = null) {
  clearTimeout(timer);
  running?.abort();
  const mine = (running = new AbortController());
  const sent = new Map([...entriesOf(form)].map(([name, field]) => [name, entered(field)]));
  const body = new URLSearchParams(new FormData(form));
  if (button !== null && button.name !== '') body.append(button.name, button.value);
  for (const total of form.querySelectorAll('.sum-box, .paybar')) total.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(form.action, { method: 'POST', body, signal: mine.signal });
    if (!response.ok) throw new Error(`the basket was answered with ${response.status}`);
    const page = await pageOf(response);
    if (mine !== running) return;
    show(page, sent);
    spoken.textContent = main.querySelector('.totals .sum')?.textContent ?? main.querySelector('h1').textContent;
  } catch {
    if (mine === running) form.submit();
  }
}

function countSoon(form, afterMs) {
  clearTimeout(timer);
  timer = setTimeout(() => count(form), afterMs);
}

main.addEventListener('submit', (event) => {
  const form = basketOf(event.target);
  const button = event.submitter;
  if (form === null || button?.hasAttribute('formaction')) return;
  event.preventDefault();
  const [id, quantity] = button?.name === 'set' ? button.value.split(':') : [];
  const field = form.elements.namedItem(`quantity-${id}`);
  if (field === null) {
    void count(form, button);
    return;
  }
  // The button knows the quantity of the page. By now it may be another one.
  const change = Number(quantity) - Number(field.defaultValue);
  field.value = button.matches('.link') ? '0' : String(Math.max(0, (Number(field.value) || 0) + change));
  countSoon(form, AFTER_CLICKS_MS);
});

main.addEventListener('input', ({ target }) => {
  const form = basketOf(target);
  if (form !== null && target.name.startsWith('quantity-') && target.value !== '') countSoon(form, AFTER_TYPING_MS);
});

main.addEventListener('change', ({ target }) => {
  const form = basketOf(target);
  if (form !== null && ['nickname', 'code', 'serverId'].includes(target.name)) countSoon(form, 0);
});

// --- The page of an order

const follows = () => main.querySelector('[data-follows]') !== null;

const whenVisible = () =>
  new Promise((done) => {
    if (!document.hidden) done();
    else document.addEventListener('visibilitychange', () => void whenVisible().then(done), { once: true });
  });

/** The page as it is now; the status is 0 without a connection. */
async function look() {
  try {
    const response = await fetch(location.href, { cache: 'no-store' });
    return { status: response.status, page: await pageOf(response) };
  } catch {
    return { status: 0, page: null };
  }
}

/** Looks for news, as long as something happens without the visitor, and only while somebody looks. */
async function follow() {
  let waitMs = LOOK_AGAIN_MS;
  let shown = main.innerHTML;
  while (follows()) {
    await new Promise((done) => setTimeout(done, waitMs));
    await whenVisible();
    const { status, page } = await look();
    if (status === 0 || status === 429 || status >= 500) {
      waitMs = Math.min(2 * waitMs, LOOK_AGAIN_AT_LATEST_MS);
      continue;
    }
    if (status !== 200) {
      location.reload();
      return;
    }
    waitMs = LOOK_AGAIN_MS;
    const { innerHTML } = page.querySelector('main');
    if (innerHTML === shown) continue;
    shown = innerHTML;
    show(page);
    spoken.textContent = main.querySelector('.state')?.innerText ?? '';
  }
}

// --- Addresses

function offerCopies() {
  if (navigator.clipboard === undefined) return;
  for (const button of main.querySelectorAll('.copy')) button.hidden = false;
}

main.addEventListener('click', async ({ target }) => {
  const button = target.closest('.copy');
  if (button === null) return;
  const address = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(address.textContent);
    button.classList.add('done');
    spoken.textContent = button.dataset.copied;
  } catch {
    // The browser does not allow it: the visitor copies what is marked.
    getSelection().selectAllChildren(address);
  }
});

offerCopies();
void follow();
