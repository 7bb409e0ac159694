import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, ObjectField, StringField, TimestampField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'A TXT record to publish in the DNS.' })
export class TxtRecordDto {
  @StringField({ maxLength: 300, description: 'Name of the record.', example: '_shop-platform.shop.example.com' })
  name!: string;

  @StringField({
    maxLength: 100,
    description: 'Value of the record.',
    example: 'shop-platform-verification=0123456789abcdef',
  })
  value!: string;
}

@ApiSchema({ description: "A shop's custom domain, and how to verify it." })
export class DomainDto {
  @StringField({ maxLength: 253, description: 'The hostname.', example: 'shop.example.com' })
  hostname!: string;

  @ChoiceField({
    oneOf: ['pending', 'verified'],
    description: '`pending` until the TXT record was found; only a verified domain changes `frontEndUrl`.',
    example: 'pending',
  })
  status!: 'pending' | 'verified';

  @ObjectField(
    {
      description: 'The TXT record that verifies the domain.',
      example: { name: '_shop-platform.shop.example.com', value: 'shop-platform-verification=0123456789abcdef' },
    },
    () => TxtRecordDto,
  )
  txtRecord!: TxtRecordDto;

  @TimestampField({
    nullable: true,
    description:
      'Since when the TXT record of the verified domain is missing; null while it exists. After 3 days the shop loses the domain.',
    example: null,
  })
  missingSince!: string | null;
}
