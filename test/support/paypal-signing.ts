import { sign } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A key that signs as PayPal does, made for these tests alone. */
export const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCgx5VjdsbVbftq
ANdmGQ19xVXmZmoxzUffk6xkE50pqcPpQBGJWUQFwmEBLEh8rfl13lqV7r+dA4IR
JoaKayEbta1lYh9BceGmeUlaWtVz6Hjm0f8H2BKYUWmf+IQl+lmm1G0ZuRhGVe+X
pSBc3Mars2DWBHJbep1D0Mk9+EXAZ06ARIlGXvD+xLjqKCdA5/AvK6q+bzSoLP7n
BFGcCI5+lEvMCNjDoZxnKW5h8nwnsbXToeN2tFllmVSMboBzJj2DPhXZtYKhMQgV
KgWrPywLxX5nqIAgxD0M0v6wgB7x9ZV45Knoy2/bacqDDuPG1bB2kdW2+e9QN9At
qargdusDAgMBAAECggEAA+qdRI0jJV70VwTYOmSaH2MwxzNLLYMafGNSXiUkvVwS
4FocwPXm/ZM13gApb97tnSXZUZ6Gg4cPWVR1oa+NhVcim74NJtxAT1f4uCzhaV1B
DvrrbHbHHlMHp4JcG3AnVFji7JzFgVJBJpHNBihbLyKxVVMA+iJY7F1DfkNh1U5l
BGTYSdO+yHCnSTJkfGY2OX4JHxuUvRyqOlpedTRfiDsf3Bl2d1WSAsAJcaM8q6jI
SjwE0+WzM0xQp8kyHSvtnhuhtmfWjC5+HWNPLAWEU47qdnCvbC3r75oM8TmymKBr
wV7S35aECTV+/V4nenJqDhsJooT66luElmdPw8GEyQKBgQDXcra+1uvRXFEwMG43
PGyAkv8YX7j1exBYDemPlIAT4xB7Jx5XyauDfQ5iq09TzicIdOWWTcjZ/TxHtexp
hgZGbNost9PW83bg9JOR4D7D5IfQqX4vXSIPrLrLABA2jFZptvPi66wzLiYFFDxE
Z6Pw7Fj+zy3rQrSgaPNpr8y5XQKBgQC/CrCGW9W279tr1tk2YRpdfcGJmJSBLaps
IZrqDMKpkG/Bd0be9K/CaED/Hsihx7/g3Xu8ZJpdIx7oTlHE5sugt6uelTSDs1VP
E1jyCIOvKCoK/bwmD9zlRI+ar7dLsrpwcnhyZCWY26kKLfggCvpSQLenzu85juXK
6nVCggkP3wKBgQDEJco+wMj9WMEJ0G3nl/lorWvVswBfbeUZZcEoWRiqAmX02U6E
ujSOh4JbTn/wWpWq21JSnwqnfCgvWW+dOsnnwB556/rPjeTDNahMfQ5npl4IGOer
E215O9bsDmi0YNwjbs9n3wxtpCw1H5Em7fyR0XvMsK6rq5VrHWHO7KDEeQKBgCCi
N9NLvq8YO/go5EPoxHMx9yyE9uE2JsV/3BGdCmeit6Rptp6BV8CyxF+QJ5+TGpDT
5L4ixUehpzbxogArmJ8koNlfDXBt4uW2HVyC3dO+3aew/kHWNdqoIou+9mWk6zoo
I7EOsGlzJGYLwjXfCjGgwn6U18KSSWinMk6hHeErAoGBAJIYosff3LKC/cEV2hlQ
SqN389KItwhxThkFap55JwPPtFsKpRXAaQRRjtmGuBaFgvnwDz26PpjQ+CBJG5Ne
3Ra8z6kBFDaVbPA4yKP4gx/cMFl+Je58xubye3Vr0rFcLIW6KIgUbln0a/EbvVzw
8qzXjt9rG14O6gVxilk+XBq9
-----END PRIVATE KEY-----
`;

/** Its certificate, valid from 2020 to 2099. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIC1zCCAb+gAwIBAgIBBzANBgkqhkiG9w0BAQsFADAuMSwwKgYDVQQDDCNtZXNz
YWdldmVyaWZpY2F0aW9uY2VydHMucGF5cGFsLmNvbTAgFw0yMDAxMDEwMDAwMDBa
GA8yMDk5MTIzMTAwMDAwMFowLjEsMCoGA1UEAwwjbWVzc2FnZXZlcmlmaWNhdGlv
bmNlcnRzLnBheXBhbC5jb20wggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIB
AQCgx5VjdsbVbftqANdmGQ19xVXmZmoxzUffk6xkE50pqcPpQBGJWUQFwmEBLEh8
rfl13lqV7r+dA4IRJoaKayEbta1lYh9BceGmeUlaWtVz6Hjm0f8H2BKYUWmf+IQl
+lmm1G0ZuRhGVe+XpSBc3Mars2DWBHJbep1D0Mk9+EXAZ06ARIlGXvD+xLjqKCdA
5/AvK6q+bzSoLP7nBFGcCI5+lEvMCNjDoZxnKW5h8nwnsbXToeN2tFllmVSMboBz
Jj2DPhXZtYKhMQgVKgWrPywLxX5nqIAgxD0M0v6wgB7x9ZV45Knoy2/bacqDDuPG
1bB2kdW2+e9QN9AtqargdusDAgMBAAEwDQYJKoZIhvcNAQELBQADggEBAJyUjOd8
4g4yBFx3URZLYYCyKh7Bwgw4kGxR6o9yTGwd4WQAtIj50emxHe+VmcbeWYtnF6r1
SU6QnhY70MFaCxUp6leFmCwc2oCJPHZyW29GXQ+xgv1idtHx76j/DM1kYtic78Uh
sp+ZgNRZuKk3XJg8OjJPNwNaPlHVKxhkTAsSmaT1ni3UXwLOM24l3sUMG9iwF4P2
MGGT82ao89Ll/44r/TkaOM9KkUpi3E6kAVr+cFF+yOkthq+K5wrZi9FAbGdzTS8L
1clG/UH7M9ZWAcjNIQNzJMKKMYLwLkzDL1f99y9mrYzBAUnuDxz4wkiZ1ECoSug4
HbxulskYBVAzYNY=
-----END CERTIFICATE-----
`;

/** Its certificate of the year 2015. */
export const OLD_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIC1TCCAb2gAwIBAgIBBzANBgkqhkiG9w0BAQsFADAuMSwwKgYDVQQDDCNtZXNz
YWdldmVyaWZpY2F0aW9uY2VydHMucGF5cGFsLmNvbTAeFw0xNTAxMDEwMDAwMDBa
Fw0xNjAxMDEwMDAwMDBaMC4xLDAqBgNVBAMMI21lc3NhZ2V2ZXJpZmljYXRpb25j
ZXJ0cy5wYXlwYWwuY29tMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA
oMeVY3bG1W37agDXZhkNfcVV5mZqMc1H35OsZBOdKanD6UARiVlEBcJhASxIfK35
dd5ale6/nQOCESaGimshG7WtZWIfQXHhpnlJWlrVc+h45tH/B9gSmFFpn/iEJfpZ
ptRtGbkYRlXvl6UgXNzGq7Ng1gRyW3qdQ9DJPfhFwGdOgESJRl7w/sS46ignQOfw
Lyuqvm80qCz+5wRRnAiOfpRLzAjYw6GcZyluYfJ8J7G106HjdrRZZZlUjG6AcyY9
gz4V2bWCoTEIFSoFqz8sC8V+Z6iAIMQ9DNL+sIAe8fWVeOSp6Mtv22nKgw7jxtWw
dpHVtvnvUDfQLamq4HbrAwIDAQABMA0GCSqGSIb3DQEBCwUAA4IBAQCZB9jhNJV+
1S9zM9sz4yJjNzygMFT1TDXsQJKv8MCW3uwU4PzPsHgc80/QUrENKsVW46cP0znQ
7BAJU/dXkilURWcsxprbQ5sp/Py+zpNzraeHaATmfMkLAAfGKBWtPuLNcsKAF5Js
FxwahzQJe00ziawR92t/oAC40VUbamplGZb/vsUhjO86aKfILr67oQI+4QOMvcjU
hz1gEaQZNYfho6Bw/50/H0ksaOPiHY6/qGebAnp6asYJSGactZY90gjIhNQDuYRm
qHrdFmmqZ3LuyuUL8MAt66+u3h2pmlq7sSeiHDHcPzojc8RranEPgEiCtYyK4iHy
5XBxPVsv3y6d
-----END CERTIFICATE-----
`;

/** What a request of PayPal has besides its body. */
export interface Transmission {
  readonly id: string;
  readonly time: string;
  readonly webhookId: string;
  readonly certUrl: string;
}

/** The headers with which PayPal sends a body. */
export function paypalHeaders(body: string | Buffer, transmission: Transmission): Record<string, string> {
  const { id, time, webhookId, certUrl } = transmission;
  const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('RSA-SHA256', signed, PRIVATE_KEY).toString('base64'),
    'paypal-cert-url': certUrl,
    'paypal-auth-algo': 'SHA256withRSA',
  };
}
