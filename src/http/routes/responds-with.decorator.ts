import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/** The envelope's `message` of a route. */
export const SuccessMessage = Reflector.createDecorator<string>();

/** What a route returns instead of its usual data and message. Name the class of the data in `@RespondsWith`. */
export class OtherResponse<Data extends object> {
  constructor(
    readonly data: Data,
    readonly message: string,
  ) {}
}

/**
 * The response of a route: status 200 and the envelope around `data`, with `message`. Sets the metadata that the envelope
 * interceptor reads, and documents the same response.
 * @param data the class of `data`, or `[class]` for a list
 * @param other the other class that `data` can have: of an `OtherResponse`, or what everybody may see (`PublicView`)
 */
export function RespondsWith(data: Type | readonly [Type], message: string, other?: Type): MethodDecorator {
  const list = Array.isArray(data);
  const model = (list ? data[0] : data) as Type;
  const usual = { $ref: getSchemaPath(model) };
  const reference = other === undefined ? usual : { oneOf: [usual, { $ref: getSchemaPath(other) }] };
  return applyDecorators(
    HttpCode(200),
    SuccessMessage(message),
    ApiExtraModels(model, ...(other === undefined ? [] : [other])),
    ApiOkResponse({
      description: message,
      schema: {
        type: 'object',
        description: 'The envelope of every success.',
        required: ['success', 'data', 'message'],
        properties: {
          success: { type: 'boolean', description: 'true on success', example: true },
          data: list
            ? {
                type: 'array',
                description: 'The records, newest first unless the operation says otherwise.',
                items: reference,
              }
            : reference,
          message: { type: 'string', description: 'A short sentence about the result.', example: message },
        },
      },
    }),
  );
}
