import { type CommandStages } from '../commands/command-list.types.js';
import { foreignPlaceholders } from '../commands/foreign-placeholders.js';
import { stagesOf } from './product-input.js';

export const PRODUCT_WARNINGS = ['no_commands', 'leading_slash', 'unknown_placeholder'] as const;

/** A setting of a product that is allowed but is probably a mistake. */
export interface ProductWarning {
  readonly code: (typeof PRODUCT_WARNINGS)[number];
  readonly message: string;
  /** The field, with the position in its list. */
  readonly field: string;
}

const NO_COMMANDS: ProductWarning = {
  code: 'no_commands',
  message: 'The product has no commands: nothing runs on the game server when an order is paid',
  field: 'commands',
};

/** Chat needs the slash. Most consoles look for a command with that name, and find none. */
function slashWarnings([field, templates]: [field: string, templates: readonly string[]]): ProductWarning[] {
  return templates.flatMap((template, position) => {
    if (!template.startsWith('/')) return [];
    const message = `Most consoles do not know a command with a leading /: remove it, unless your server needs it`;
    return [{ code: 'leading_slash', message, field: `${field}.${position}` }];
  });
}

/** What another system would fill in is sent literally, and the delivery would count as done. */
function placeholderWarnings([field, templates]: [field: string, templates: readonly string[]]): ProductWarning[] {
  return templates.flatMap((template, position) => {
    const found = foreignPlaceholders(template);
    if (found.length === 0) return [];
    const message = `Only {nickname}, {uuid}, {orderId} and {quantity} are filled in. The game server gets this as it is: ${found.join(' ')}`;
    return [{ code: 'unknown_placeholder', message, field: `${field}.${position}` }];
  });
}

/** Returns the probable mistakes in the commands of a product; empty: none. */
export function productWarnings(stages: CommandStages): ProductWarning[] {
  return [
    ...(stages.commands.length === 0 ? [NO_COMMANDS] : []),
    ...Object.entries(stagesOf(stages)).flatMap((stage) => [...slashWarnings(stage), ...placeholderWarnings(stage)]),
  ];
}
