import { AppError } from '../../domain/errors/app-error.js';
import { parseInstant } from '../../lib/time/instant.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** The error for a request that is authentic but not in the agreed format. */
export class FormatError extends AppError {
  /** @param sentence what to change */
  constructor(readonly sentence: string) {
    super('webhook_rejected', { message: `The webhook request cannot be read: ${sentence}` });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface StringRule {
  readonly pattern: RegExp;
  readonly says: string;
}

/** Identifiers of providers: printable characters without spaces, short enough for an index. */
export const IDENTIFIER: StringRule = {
  pattern: /^[\x21-\x7e]{1,255}$/,
  says: 'must be 1 to 255 printable characters without spaces',
};

/** Reads the fields of an untrusted JSON object. A field that is not as expected throws an error that names it. */
export class JsonFields {
  private constructor(
    private readonly object: JsonObject,
    private readonly path: string,
  ) {}

  /**
   * Parses a body: a JSON object in UTF-8. Its depth and its number of keys have no limit, because providers send large objects.
   * The number of bytes has one, the parser is not recursive, and only single fields are read.
   * @throws AppError webhook_rejected
   */
  static parse(body: Buffer): JsonFields {
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    } catch {
      // The parser's own message quotes the body, which may contain personal data.
      throw new FormatError('the body must be JSON in UTF-8');
    }
    if (!isObject(value)) throw new FormatError('the body must be a JSON object');
    return new JsonFields(value, '');
  }

  /** The names of fields that are not among the known ones. */
  unknownNames(known: readonly string[]): string[] {
    return Object.keys(this.object).filter((name) => !known.includes(name));
  }

  string(name: string, { pattern, says }: StringRule): string {
    const value = this.value(name);
    if (typeof value !== 'string' || !pattern.test(value)) throw this.wrong(name, says);
    return value;
  }

  /** Like `string`, but returns null for an absent field and for null. */
  optionalString(name: string, rule: StringRule): string | null {
    return this.value(name) == null ? null : this.string(name, rule);
  }

  number(name: string): number {
    const value = this.value(name);
    if (typeof value !== 'number') throw this.wrong(name, 'must be a number');
    return value;
  }

  /** A whole number from 0 to Number.MAX_SAFE_INTEGER. */
  count(name: string): number {
    const value = this.value(name);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw this.wrong(name, 'must be a whole number');
    }
    return value;
  }

  /** An ISO 8601 date-time with an offset. */
  instant(name: string): Date {
    const value = this.value(name);
    const instant = typeof value === 'string' ? parseInstant(value) : null;
    if (instant === null) throw this.wrong(name, 'must be a date-time with an offset such as 2026-11-21T12:00:00Z');
    return instant;
  }

  child(name: string): JsonFields {
    const value = this.value(name);
    if (!isObject(value)) throw this.wrong(name, 'must be an object');
    return new JsonFields(value, `${this.path}${name}.`);
  }

  /** A list of objects; empty for an absent field and for null. */
  children(name: string): JsonFields[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value) || !value.every(isObject)) throw this.wrong(name, 'must be a list of objects');
    return value.map((item, index) => new JsonFields(item, `${this.path}${name}[${index}].`));
  }

  /** The raw value of a field; undefined when it is absent. */
  value(name: string): unknown {
    return Object.hasOwn(this.object, name) ? this.object[name] : undefined;
  }

  /** The raw value at the end of a path of objects and lists; undefined when the path does not exist. For objects of any shape. */
  at(...path: readonly (string | number)[]): unknown {
    let value: unknown = this.object;
    for (const name of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Readonly<Record<string | number, unknown>>)[name];
    }
    return value;
  }

  wrong(name: string, says: string): AppError {
    return new FormatError(`${this.path}${name} ${says}`);
  }
}
