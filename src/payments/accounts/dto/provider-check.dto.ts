import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  ObjectListField,
  StringField,
  StringListField,
} from '../../../platform/validation/fields.js';
import { CHECK_NAMES } from '../provider-check-rules.js';

@ApiSchema({ description: 'One check of a payment provider.' })
export class ProviderCheckDto {
  @ChoiceField({ oneOf: CHECK_NAMES, description: 'What was checked.', example: 'credentials' })
  name!: string;

  @BooleanField({ nullable: true, description: 'null: the service cannot find it out.', example: false })
  ok!: boolean | null;

  @StringField({
    maxLength: 700,
    description: 'What was found, and what to do about it.',
    example: 'Stripe rejected this secret key',
  })
  message!: string;
}

@ApiSchema({ description: 'What a check of a payment provider found.' })
export class ProviderCheckReportDto {
  @ObjectListField(
    {
      maxItems: CHECK_NAMES.length,
      description: 'The checks.',
      example: [{ name: 'credentials', ok: false, message: 'Stripe rejected this secret key' }],
    },
    () => ProviderCheckDto,
  )
  checks!: ProviderCheckDto[];

  @BooleanField({ description: 'Whether buyers can pay with this provider now.', example: false })
  canStartPayments!: boolean;

  @StringListField({
    maxItems: 10,
    maxLength: 40,
    description: 'Names of the credentials that are missing for buyers to pay.',
    example: [],
  })
  missing!: string[];
}
