// An OCSP responder (RFC 6960) of a simulated authority: for each issuer a certificate that may sign responses, as the ios-store's has.
import { createPrivateKey, sign, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  BasicOCSPResponse,
  CertStatus,
  id_kp_OCSPSigning,
  id_pkix_ocsp_basic,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  RevokedInfo,
  SingleResponse,
  type CertID,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';
import {
  createCertificateAuthority,
  issueCertificate,
  type CertificateAuthority,
  type IssuedCertificate,
} from '../../../simulator/ios-store/certificate-authority.js';

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const [BEGIN, END] = [new Date('2020-01-01T00:00:00Z'), new Date('2049-01-01T00:00:00Z')];

export type Responder = {
  /** Leaf and intermediate name the responder. */
  readonly authority: CertificateAuthority;
  readonly received: { requests: number };
  close(): void;
};

/** An authority with a responder on this machine. */
export async function startResponder(
  listenerOf: (authority: CertificateAuthority) => RequestListener | Promise<RequestListener>,
): Promise<Responder> {
  const received = { requests: 0 };
  const server = createServer(() => (received.requests += 1)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const authority = await createCertificateAuthority({ responderUrl: `http://127.0.0.1:${port}/` });
  server.on('request', await listenerOf(authority));
  return { authority, received, close: () => server.close().closeAllConnections() };
}

/** Calls one of the two certificates revoked, or both good. */
export async function calling(
  revoked: 'leaf' | 'intermediate' | null,
  { issuers }: CertificateAuthority,
): Promise<RequestListener> {
  const signerOf = (name: string, issuer: IssuedCertificate) =>
    issueCertificate({ name, issuer, curve: 'P-256', ca: false, purposes: [id_kp_OCSPSigning] });
  const signers = {
    leaf: await signerOf('Responder of the intermediate', issuers.intermediate),
    intermediate: await signerOf('Responder of the root', issuers.root),
  };
  const serialOfIntermediate = issuers.intermediate.certificate.serialNumber;
  const respond = async (asking: Buffer): Promise<Buffer> => {
    const [asked] = AsnConvert.parse(asking, OCSPRequest).tbsRequest.requestList;
    if (!asked) throw new Error('a request asks about a certificate');
    const serial = Buffer.from(asked.reqCert.serialNumber).toString('hex');
    const which = BigInt(`0x${serial}`) === BigInt(`0x${serialOfIntermediate}`) ? 'intermediate' : 'leaf';
    return responseOf(asked.reqCert, which === revoked, signers[which]);
  };
  return (request, response) =>
    void buffer(request)
      .then(respond)
      .then((bytes) => response.end(bytes));
}

async function responseOf(
  certID: CertID,
  isRevoked: boolean,
  { certificate, keys }: IssuedCertificate,
): Promise<Buffer> {
  const parsed = AsnConvert.parse(certificate.rawData, Certificate);
  const certStatus = new CertStatus(
    isRevoked ? { revoked: new RevokedInfo({ revocationTime: BEGIN }) } : { good: null },
  );
  const tbsResponseData = new ResponseData({
    responderID: new ResponderID({ byName: parsed.tbsCertificate.subject }),
    producedAt: BEGIN,
    responses: [new SingleResponse({ certID, certStatus, thisUpdate: BEGIN, nextUpdate: END })],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsResponseData)), key);
  const basic = new BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 }),
    signature: new Uint8Array(signature).buffer,
    certs: [parsed],
  });
  const response = new OctetString(AsnConvert.serialize(basic));
  const responseBytes = new ResponseBytes({ responseType: id_pkix_ocsp_basic, response });
  const whole = new OCSPResponse({ responseStatus: OCSPResponseStatus.successful, responseBytes });
  return Buffer.from(AsnConvert.serialize(whole));
}
