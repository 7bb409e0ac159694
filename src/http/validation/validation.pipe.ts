import { type ArgumentMetadata, ValidationPipe, type ValidationPipeOptions } from '@nestjs/common';
import { type ValidationError } from 'class-validator';
import { invalidInput } from '../../domain/errors/require-valid.js';
import { type FieldProblem, fieldsHeader } from './fields-header.js';
import { type FieldRule, QUERY } from './presence.js';

/** More than any body has fields. Only lists, and bodies with invented fields, can have more problems. */
const MAX_PROBLEMS = 30;
/** An invented field can have a name of any length. */
const MAX_NAME = 100;

/** A problem of a field: for people, and for programs. */
interface Problem {
  readonly sentence: string;
  readonly field: FieldProblem;
}

/** Each problem with the whole path of a nested field: class-validator names it without its parents. */
function* problemsIn(errors: readonly ValidationError[], parent = ''): Generator<Problem> {
  for (const { property, constraints = {}, contexts = {}, children = [] } of errors) {
    for (const [name, sentence] of Object.entries(constraints)) {
      if (name === 'whitelistValidation') {
        const field = `${parent}${property.slice(0, MAX_NAME)}`;
        yield { sentence: `${field} is not a known field`, field: { field, rule: 'unknown' } };
      } else {
        const rule = (contexts[name] as FieldRule | undefined) ?? { rule: 'invalid' };
        yield { sentence: parent + sentence, field: { field: parent + property, ...rule } };
      }
    }
    yield* problemsIn(children, `${parent}${property}.`);
  }
}

/**
 * Finds a field that the library drops without an error (`__proto__`, `constructor`, `prototype`), at any depth; null without
 * one.
 */
function droppedField(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const key of Object.getOwnPropertyNames(value)) {
    if (key in Object.prototype || key === 'prototype') return key;
    const inside = Array.isArray(value) && key === 'length' ? null : droppedField(value[key as keyof typeof value]);
    if (inside !== null) return inside;
  }
  return null;
}

/** Rejects every unknown field, also one with a special name, and a body that is not an object. */
class StrictValidationPipe extends ValidationPipe {
  private readonly queries: ValidationPipe;

  constructor(options: ValidationPipeOptions) {
    super(options);
    this.queries = new ValidationPipe({
      ...options,
      transformOptions: { ...options.transformOptions, groups: [QUERY] },
    });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isObject = value === undefined || (typeof value === 'object' && !Array.isArray(value));
    if (metadata.type === 'body' && !isObject) throw invalidInput(['The body must be a JSON object']);
    const comesFromClient = metadata.type === 'body' || metadata.type === 'query';
    const field = comesFromClient ? droppedField(value) : null;
    if (field !== null) throw invalidInput([`${field} is not a known field`]);
    if (metadata.type === 'query') return this.queries.transform(value, metadata) as Promise<unknown>;
    if (metadata.type === 'body' && value === undefined) return this.rejectMissing(metadata);
    return super.transform(value, metadata) as Promise<unknown>;
  }

  /**
   * Rejects a request without a body, with the problems of an empty one if it has some: they name the fields to send. Where every field
   * has a default, a request that lost its body must not replace a secret.
   */
  private async rejectMissing(metadata: ArgumentMetadata): Promise<never> {
    await super.transform({}, metadata);
    throw invalidInput(['The body is missing: send a JSON object']);
  }
}

/**
 * Checks bodies and queries. Only known fields and declared types are allowed. One sentence names all problems, and a header has them for
 * programs.
 */
export function validationPipe(): ValidationPipe {
  return new StrictValidationPipe({
    transform: true,
    // An absent field keeps the initial value of its class.
    transformOptions: { exposeUnsetFields: false },
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => {
      const all = [...problemsIn(errors)];
      const [named, others] = [all.slice(0, MAX_PROBLEMS), all.length - MAX_PROBLEMS];
      const sentences = named.map(({ sentence }) => sentence);
      return invalidInput(
        [...sentences, ...(others > 0 ? [`${others} more problems`] : [])],
        fieldsHeader(named.map(({ field }) => field)),
      );
    },
  });
}
