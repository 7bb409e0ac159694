import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../../platform/validation/fields.js';

@ApiSchema({ description: 'The domain to claim for a shop.' })
export class ClaimDomainDto {
  @TextField({ maxLength: 253, description: 'The hostname, without a scheme.', example: 'shop.example.com' })
  hostname!: string;
}
