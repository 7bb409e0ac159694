import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  ObjectField,
  StringField,
  StringListField,
} from '../../../http/validation/fields.js';
import { TxtRecordDto } from '../../shops/dto/domain.dto.js';
import { type ProofVerdict } from '../domain-proof-rules.js';

const VERDICTS = ['present', 'missing', 'unknown'] as const;

@ApiSchema({ description: 'A record to publish in the DNS, and whether it is there.' })
export class FoundTxtRecordDto extends TxtRecordDto {
  @ChoiceField({
    oneOf: VERDICTS,
    description: '`unknown` when the name servers gave no usable response.',
    example: 'present',
  })
  state!: ProofVerdict;
}

@ApiSchema({ description: 'What the DNS says about the custom domain of a shop now.' })
export class DomainReportDto {
  @StringField({ maxLength: 253, description: 'The hostname.', example: 'shop.example.com' })
  hostname!: string;

  @ObjectField(
    {
      description: 'The TXT record that verifies the domain.',
      example: {
        ...{ name: '_shop-platform.shop.example.com', value: 'shop-platform-verification=0123456789abcdef' },
        state: 'present',
      },
    },
    () => FoundTxtRecordDto,
  )
  txtRecord!: FoundTxtRecordDto;

  @StringField({
    maxLength: 300,
    description: 'Where a CNAME record of the hostname should lead: the address of the shop at the platform.',
    example: 'sky-realm.shops.example.net',
  })
  target!: string;

  @StringListField({
    nullable: true,
    maxItems: 100,
    maxLength: 45,
    description: 'Where the hostname leads now; null when the name servers gave no usable response.',
    example: ['203.0.113.7'],
  })
  addresses!: readonly string[] | null;

  @BooleanField({
    nullable: true,
    description: 'Whether the hostname leads to the platform; null when that is not known.',
    example: false,
  })
  pointsHere!: boolean | null;

  @BooleanField({
    nullable: true,
    description:
      'Whether browsers accept the certificate of the hostname; null while it does not lead to the platform.',
    example: null,
  })
  hasCertificate!: boolean | null;
}
