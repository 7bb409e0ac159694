import { AppError } from '../../common/errors/app-error.js';
import { checkComplexity } from '../../common/http/json-body.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** A notification whose sender is proven, but which does not have the agreed shape: the sentence helps to repair it. */
export function misshapen(sentence: string): AppError {
  return new AppError('webhook_rejected', { message: `The notification cannot be read: ${sentence}` });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface TextRule {
  readonly pattern: RegExp;
  readonly says: string;
}

/** Identifiers of providers: printable, without spaces, short enough for an index. */
export const IDENTIFIER: TextRule = {
  pattern: /^[\x21-\x7e]{1,255}$/,
  says: 'must be 1 to 255 printable characters without spaces',
};

/** Reads the fields of a JSON object of unknown origin; each that is not as expected is an error that names it. */
export class JsonFields {
  private constructor(
    private readonly object: JsonObject,
    private readonly path: string,
  ) {}

  /**
   * Parses a body of UTF-8 JSON that holds an object.
   * @throws AppError webhook_rejected, body_too_complex
   */
  static parse(body: Buffer): JsonFields {
    checkComplexity(body);
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    } catch {
      // The parser's own words quote the body, which is nobody's business but the sender's.
      throw misshapen('the body must be JSON in UTF-8');
    }
    if (!isObject(value)) throw misshapen('the body must be a JSON object');
    return new JsonFields(value, '');
  }

  /** The names of fields that are not among the known ones. */
  unknownNames(known: readonly string[]): string[] {
    return Object.keys(this.object).filter((name) => !known.includes(name));
  }

  text(name: string, { pattern, says }: TextRule): string {
    const value = this.value(name);
    if (typeof value !== 'string' || !pattern.test(value)) throw this.wrong(name, says);
    return value;
  }

  /** Like `text`; absent and null are null. */
  optionalText(name: string, rule: TextRule): string | null {
    return this.value(name) == null ? null : this.text(name, rule);
  }

  number(name: string): number {
    const value = this.value(name);
    if (typeof value !== 'number') throw this.wrong(name, 'must be a number');
    return value;
  }

  /** A whole number from 0 to the largest that is exact. */
  count(name: string): number {
    const value = this.value(name);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw this.wrong(name, 'must be a whole number');
    }
    return value;
  }

  child(name: string): JsonFields {
    const value = this.value(name);
    if (!isObject(value)) throw this.wrong(name, 'must be an object');
    return new JsonFields(value, `${this.path}${name}.`);
  }

  /** What stands under a name, unread; undefined when nothing does. */
  value(name: string): unknown {
    return Object.hasOwn(this.object, name) ? this.object[name] : undefined;
  }

  wrong(name: string, says: string): AppError {
    return misshapen(`${this.path}${name} ${says}`);
  }
}
