/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  /** What was found, and what to do about it. */
  readonly message: string;
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const warning = (check: string, message: string): Finding => ({ check, state: 'warning', message });
export const failed = (check: string, message: string): Finding => ({ check, state: 'failed', message });

/** The words of an error: the code of the system or the message in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return error.message === '' ? (code ?? error.name) : error.message.replaceAll(/\s*\n\s*/g, ' ');
}
