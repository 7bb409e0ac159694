import { ApiSchema, PickType } from '@nestjs/swagger';
import { BooleanField, ChoiceField, ObjectListField, StringField } from '../../../http/validation/fields.js';
import { CHECK_NAMES } from '../checks/provider-check-rules.js';
import { PaymentProviderDto } from './payment-provider.dto.js';

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
export class ProviderCheckReportDto extends PickType(PaymentProviderDto, ['canStartPayments', 'missing']) {
  @ObjectListField(
    {
      maxItems: CHECK_NAMES.length,
      description: 'The checks.',
      example: [{ name: 'credentials', ok: false, message: 'Stripe rejected this secret key' }],
    },
    () => ProviderCheckDto,
  )
  checks!: ProviderCheckDto[];
}
