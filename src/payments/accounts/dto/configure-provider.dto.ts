import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsObject, ValidateIf } from 'class-validator';
import { BooleanField } from '../../../http/validation/fields.js';
import { says } from '../../../http/validation/presence.js';

@ApiSchema({ description: 'The configuration of a payment provider.' })
export class ConfigureProviderDto {
  @BooleanField({
    description:
      'Whether buyers can start payments with it. Reports about earlier payments are accepted in either case.',
    example: true,
  })
  enabled!: boolean;

  // The allowed fields depend on the provider in the path, so the service checks them by its rules.
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 300 },
    description:
      "By the provider's own names. An absent one keeps its value. The service generates the `signingSecret` of `custom` if it has none.",
    example: { signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  })
  @ValidateIf((_object: object, value: unknown) => value !== undefined)
  @IsObject(says('must be an object', 'type', { type: 'object' }))
  credentials: Record<string, unknown> = {};
}
