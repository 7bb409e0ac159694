import { renderCommand } from '../commands/command-template.js';
import { type DeliverableOrder } from './delivery.types.js';

/** The commands of each item of an order, or why one of them must not run with the order's nickname. */
export type RenderedItems = { readonly items: readonly (readonly string[])[] } | { readonly problem: string };

/** Renders all commands of an order, or none. */
export function renderItems(order: Pick<DeliverableOrder, 'id' | 'nickname' | 'items'>): RenderedItems {
  const { id: orderId, nickname } = order;
  const items: string[][] = [];
  for (const { quantity, commands } of order.items) {
    const rendered: string[] = [];
    for (const template of commands) {
      const rendering = renderCommand(template, { nickname, orderId, quantity });
      if ('problem' in rendering) return rendering;
      rendered.push(rendering.command);
    }
    items.push(rendered);
  }
  return { items };
}
