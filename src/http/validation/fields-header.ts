import { type FieldRule } from './presence.js';

/** A problem of a field of a request, for programs. */
export interface FieldProblem extends FieldRule {
  /** The path of the field, as `items.0.quantity`. */
  readonly field: string;
}

/** Proxies reject responses with larger heads. */
const MAX_BYTES = 4_096;

/**
 * The header that has the problems of the fields of a request, as a list in JSON, so that a form can show each at its field, in the language
 * of its reader. The body of an error has no room for it. What is not ASCII is escaped, and what does not fit is left out.
 */
export function fieldsHeader(problems: readonly FieldProblem[]): Readonly<Record<string, string>> {
  let list = '';
  for (const problem of problems) {
    const longer = `${list}${list === '' ? '' : ','}${asciiJson(problem)}`;
    if (longer.length + '[]'.length > MAX_BYTES) break;
    list = longer;
  }
  return list === '' ? {} : { 'X-Error-Fields': `[${list}]` };
}

/** JSON escapes control characters by itself, except DEL. */
function asciiJson(value: unknown): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[\x7f-\uffff]/g, escaped);
}
