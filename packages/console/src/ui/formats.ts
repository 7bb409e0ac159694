const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An amount in its currency. The decimals are the service's own: browsers round some currencies. */
export function money(amount: number, currency: string, decimals: number, language: string): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
    .format(amount)
    .replace('-', '\u2212');
}

/** The same without decimals, for the axis of a chart. */
export const roundMoney = (amount: number, currency: string, language: string): string =>
  money(Math.round(amount), currency, 0, language);

/** How much a figure differs from an earlier one: `+12.4 %`, `same`, or `new` where there was nothing. */
export type Change = { readonly kind: 'same' | 'new' } | { readonly kind: 'up' | 'down'; readonly percent: string };

export function changeOf(now: number, before: number, language: string): Change {
  if (now === before) return { kind: 'same' };
  if (before === 0) return { kind: 'new' };
  const ratio = (now - before) / Math.abs(before);
  const text = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(Math.abs(ratio) * 100);
  if (text === '0') return { kind: 'same' };
  return { kind: ratio > 0 ? 'up' : 'down', percent: `${ratio > 0 ? '+' : '\u2212'}${text} %` };
}

/** `2 min ago` within a day, then `28 Nov, 14:02`. */
export function when(instant: string, language: string, now = Date.now()): string {
  const passed = now - Date.parse(instant);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (Math.abs(passed) < MINUTE_MS) return relative.format(-Math.round(passed / 1000), 'second');
  if (Math.abs(passed) < HOUR_MS) return relative.format(-Math.round(passed / MINUTE_MS), 'minute');
  if (Math.abs(passed) < DAY_MS) return relative.format(-Math.round(passed / HOUR_MS), 'hour');
  const isThisYear = new Date(instant).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? { hour: '2-digit', minute: '2-digit' } : { year: 'numeric' }),
  }).format(new Date(instant));
}

/** The exact time, in the reader's zone and in UTC. */
export function exactTime(instant: string, language: string): string {
  const date = new Date(instant);
  const local = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' }).format(date);
  return `${local} · ${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The first letters of a name, at most two. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? '?')][0]?.toUpperCase() ?? '').join('');
}
