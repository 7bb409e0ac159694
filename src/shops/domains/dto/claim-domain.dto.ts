import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The domain to claim for a shop.' })
export class ClaimDomainDto {
  @StringField({ maxLength: 253, description: 'The hostname, without a scheme.', example: 'shop.example.com' })
  hostname!: string;
}
