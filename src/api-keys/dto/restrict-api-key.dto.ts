import { ApiSchema } from '@nestjs/swagger';
import { IdListField, TextListField } from '../../common/validation/fields.js';
import { MAX_ADDRESS_LENGTH, MAX_ADDRESSES, MAX_SERVERS } from '../key-rules.js';

/** Both fields are required, so that nobody removes a restriction by leaving it out. */
@ApiSchema({ description: 'The restrictions of an API key. They replace all previous ones.' })
export class RestrictApiKeyDto {
  @IdListField({
    nullable: true,
    minItems: 1,
    maxItems: MAX_SERVERS,
    description: 'The game servers that the key is limited to; null: all servers of the shop.',
    example: ['655f1c2ab1e4a9d3f0c81260'],
  })
  serverIds!: string[] | null;

  @TextListField({
    nullable: true,
    minItems: 1,
    maxItems: MAX_ADDRESSES,
    maxLength: MAX_ADDRESS_LENGTH,
    description: 'Addresses and CIDR ranges from which the key is accepted; null: from anywhere.',
    example: ['203.0.113.7', '2001:db8:12::/48'],
  })
  ipAllowlist!: string[] | null;
}
