/** What the service fills in; `uuid` is filled in by the plugin. */
export const PLACEHOLDERS = ['nickname', 'uuid', 'orderId', 'quantity'] as const;

const EXAMPLES: Readonly<Record<string, string>> = {
  nickname: 'Steve_42',
  uuid: '8667ba71-b85a-4004-af54-457a9734eed7',
  orderId: '655f1c2ab1e4a9d3f0c81260',
  quantity: '1',
};

export interface CommandProblem {
  /** From 1. */
  readonly line: number;
  readonly kind: 'slash' | 'placeholder';
  readonly name: string;
}

/** What is probably wrong with commands. The service says so too, after saving. */
export function problemsOf(text: string): readonly CommandProblem[] {
  return text.split('\n').flatMap((command, index): CommandProblem[] => {
    const line = index + 1;
    const unknown = [...command.matchAll(/\{(\w+)\}/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in EXAMPLES))
      .map((name): CommandProblem => ({ line, kind: 'placeholder', name }));
    return command.trimStart().startsWith('/') ? [{ line, kind: 'slash', name: '/' }, ...unknown] : unknown;
  });
}

/** The commands without the slashes that consoles do not want. */
export const withoutSlashes = (text: string): string => text.replaceAll(/^\s*\/+/gm, '');

/** The commands as they run for an example of a player. */
export const exampleOf = (text: string): string =>
  withoutSlashes(text).replaceAll(/\{(\w+)\}/g, (whole, name: string) => EXAMPLES[name] ?? whole);
