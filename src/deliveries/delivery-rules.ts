/** What stands in for the placeholders of a command template. */
export interface CommandValues {
  readonly nickname: string;
  readonly orderId: string;
  readonly quantity: number;
}

/**
 * Fills a command template. `{uuid}` stays: only the plugin knows it. Placeholders are filled in one pass, so a nickname
 * that looks like a placeholder is not filled again.
 */
export function renderCommand(template: string, values: CommandValues): string {
  return template.replace(/\{(nickname|orderId|quantity)\}/g, (_, name: keyof CommandValues) => String(values[name]));
}

/** What game consoles read as more than a name: quotes, escapes, selectors, separators, comments, placeholders. */
const SPECIAL = /["'`\\@;#$&|<>{}]/;

/** Whether a nickname can stand in commands without changing what they do, whatever the shop's rule lets through. */
export function fitsCommands(nickname: string, commands: readonly string[]): boolean {
  return !SPECIAL.test(nickname) || !commands.some((command) => command.includes('{nickname}'));
}
