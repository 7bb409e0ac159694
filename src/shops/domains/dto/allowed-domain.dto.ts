import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../../http/validation/fields.js';

/** The domain that a reverse proxy requests a certificate for. */
export class AllowedDomainQuery {
  @StringField({ maxLength: 253, description: 'The hostname that a client connects to.', example: 'shop.example.com' })
  domain!: string;
}

@ApiSchema({ description: 'A domain that leads to a shop.' })
export class AllowedDomainDto {
  @StringField({ maxLength: 253, description: 'The domain, as it was sent.', example: 'shop.example.com' })
  domain!: string;
}
