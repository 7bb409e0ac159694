import { ValidationPipe } from '@nestjs/common';
import { type ValidationError } from 'class-validator';
import { AppError } from '../errors/app-error.js';

const MAX_PROBLEMS = 10;

/** class-validator names nested fields without their parents; a client needs the whole path. */
function* sentences(problems: readonly ValidationError[], parent = ''): Generator<string> {
  for (const { property, constraints = {}, children = [] } of problems) {
    for (const [rule, sentence] of Object.entries(constraints)) {
      if (rule === 'whitelistValidation') yield `${parent}${property} is not a known field`;
      else yield parent + sentence;
    }
    yield* sentences(children, `${parent}${property}.`);
  }
}

/** Bodies and queries: known fields only, declared types only, every problem named in one sentence. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
    exceptionFactory: (problems) => {
      const all = [...sentences(problems)].map((sentence) => sentence.slice(0, 300));
      const shown = all.slice(0, MAX_PROBLEMS).join('; ');
      return new AppError('validation_failed', shown === '' ? {} : { message: shown });
    },
  });
}
