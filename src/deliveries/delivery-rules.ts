import { renderCommand } from '../commands/command-template.js';

/** An order with the command templates of its items. */
export interface OrderCommands {
  readonly id: string;
  readonly nickname: string;
  readonly items: readonly { readonly quantity: number; readonly commands: readonly string[] }[];
}

/** Renders every command of an order. Returns why the first unsafe one must not run with the nickname; null when all may. */
export function unsafeCommand({ id: orderId, nickname, items }: OrderCommands): string | null {
  for (const { quantity, commands } of items) {
    for (const template of commands) {
      const rendering = renderCommand(template, { nickname, orderId, quantity });
      if ('problem' in rendering) return rendering.problem;
    }
  }
  return null;
}
