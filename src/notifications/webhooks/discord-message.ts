import { SHOP_EVENTS } from '../../events/shop-events/shop-event.types.js';
import { isolated } from '../../lib/strings/characters.js';
import { type EventBody } from './event-bodies.service.js';

const MARKDOWN = /[\\*_~`|>#[\]()<@:-]/g;

/** A string of somebody else: nothing in it is formatting, a link or a mention. */
const plain = (text: string): string => text.replace(MARKDOWN, '\\$&');

/**
 * An event as a message for the channel URL of Discord. It mentions nobody, whatever a nickname says.
 * @see https://discord.com/developers/docs/resources/webhook#execute-webhook
 */
export function discordMessage({ type, timestamp, data }: EventBody): object {
  const event = type === 'webhook.test' ? 'This is a test of your webhook' : SHOP_EVENTS[type].description;
  const title = 'order' in data && data.order.origin === 'rehearsal' ? `Rehearsal: ${event}` : event;
  return {
    embeds: [{ title, description: linesOf(data).join('\n'), timestamp }],
    allowed_mentions: { parse: [] },
  };
}

function linesOf(data: EventBody['data']): string[] {
  if (!('order' in data))
    return [...('name' in data ? [data.name] : []), ...('code' in data ? [data.code] : [])].map(plain);
  const { nickname, items, total, currency } = data.order;
  const amount = 'refundedAmount' in data ? [`Refunded: ${data.refundedAmount} ${currency}`] : [];
  const messages = 'reasons' in data ? data.reasons.map(({ message }) => plain(message)) : [];
  const names = items.map((item) => `${item.quantity} × ${isolated(plain(item.name))}`);
  return [plain(nickname), ...names.slice(0, 10), `${total} ${currency}`, ...amount, ...messages];
}
