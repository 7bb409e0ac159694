import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsObject, ValidateIf } from 'class-validator';
import { BooleanField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'How a shop uses a payment provider.' })
export class ConfigureProviderDto {
  @BooleanField({ description: 'Whether notifications of the provider are taken.', example: true })
  enabled!: boolean;

  // Which fields belong in here depends on the provider of the path; its rules are checked by the service.
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 300 },
    description:
      "By the provider's own names. What is left out stays as it is; `custom`'s `signingSecret` is made when there is none.",
    example: { signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  })
  @ValidateIf((_object: object, value: unknown) => value !== undefined)
  @IsObject({ message: '$property must be an object' })
  credentials: Record<string, unknown> = {};
}
