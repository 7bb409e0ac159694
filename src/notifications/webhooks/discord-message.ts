import { SHOP_EVENTS } from '../../events/shop-events/shop-event.types.js';
import { type ReviewReasonDto } from '../../orders/staff/dto/staff-order.dto.js';
import { type EventBody } from './event-bodies.service.js';

const MARKDOWN = /[\\*_~`|>#[\]()<@:-]/g;

/** A string of somebody else: nothing in it is formatting, a link or a mention. */
const plain = (text: string): string => text.replace(MARKDOWN, '\\$&');

/**
 * An event as a message for the channel URL of Discord. It mentions nobody, whatever a nickname says.
 * @see https://discord.com/developers/docs/resources/webhook#execute-webhook
 */
export function discordMessage({ type, timestamp, data }: EventBody): object {
  const title = type === 'webhook.test' ? 'This is a test of your webhook' : SHOP_EVENTS[type].description;
  return {
    embeds: [{ title, description: linesOf(data).join('\n'), timestamp }],
    allowed_mentions: { parse: [] },
  };
}

function linesOf({ order, refundedAmount, reasons, name, code }: EventBody['data']): string[] {
  if (order === undefined) return [name, code].flatMap((text) => (typeof text === 'string' ? [plain(text)] : []));
  const { nickname, items, total, currency } = order;
  const amount = typeof refundedAmount === 'number' ? [`Refunded: ${refundedAmount} ${currency}`] : [];
  const messages = ((reasons ?? []) as readonly ReviewReasonDto[]).map(({ message }) => plain(message));
  const names = items.map((item) => `${item.quantity} × ${plain(item.name)}`);
  return [plain(nickname), ...names.slice(0, 10), `${total} ${currency}`, ...amount, ...messages];
}
