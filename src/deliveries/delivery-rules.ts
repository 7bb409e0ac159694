/** The values for the placeholders of a command template. */
export interface CommandValues {
  readonly nickname: string;
  readonly orderId: string;
  readonly quantity: number;
}

/**
 * Fills in a command template. `{uuid}` stays: only the plugin knows it. All placeholders are filled in one pass, so a
 * nickname with the text of a placeholder in it is not filled in again.
 */
export function renderCommand(template: string, values: CommandValues): string {
  return template.replace(/\{(nickname|orderId|quantity)\}/g, (_, name: keyof CommandValues) => String(values[name]));
}

/** Characters with a meaning in game consoles: quotes, escapes, selectors, separators, comments, placeholders. */
const SPECIAL = /["'`\\@;#$&|<>{}]/;

/** Whether commands keep their meaning with this nickname in them, whatever the shop's own rule allows. */
export function fitsCommands(nickname: string, commands: readonly string[]): boolean {
  return !SPECIAL.test(nickname) || !commands.some((command) => command.includes('{nickname}'));
}
