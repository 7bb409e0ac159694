/** Controls of C0 and C1, and characters that turn the direction of what follows. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Data for a terminal: a control character becomes its escape in JSON, so that a name can neither colour nor move nor replace what the
 * operator reads. JSON stays the same JSON.
 * @param form whether line ends and tabs are escaped too, because they separate what a program reads
 */
export function safeForTerminal(text: string, form: 'in one line' | 'in lines' = 'in lines'): string {
  return text.replace(CONTROLS, (control) =>
    form === 'in lines' && (control === '\n' || control === '\t') ? control : escaped(control),
  );
}
