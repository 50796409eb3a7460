import { ButtonLink } from '@/ui/button';
import { CallToAction } from '@/ui/site/call-to-action';
import { CoverArt } from '@/ui/site/cover-art';
import { MediaRow } from '@/ui/site/media-row';
import { NetworkArt } from '@/ui/site/network-art';
import { PageHero } from '@/ui/site/page-hero';
import { ProductShot } from '@/ui/site/product-shot';
import { Prose } from '@/ui/site/prose';
import { ScopeNote } from '@/ui/site/scope-note';
import { Section } from '@/ui/site/section';
import { TableBox } from '@/ui/site/table-box';
import { TestimonialCard } from '@/ui/site/testimonial-card';
import { TickList } from '@/ui/site/tick-list';
import { testimonials } from '@/content/testimonials';

/** The parts of the public pages. */
export function GallerySite() {
  return (
    <>
      <PageHero
        title="Opening of a page"
        description="The components of the site"
        eyebrow="Above the title"
        intro="A sentence about the page."
        actions={<ButtonLink to="/pricing">Plans</ButtonLink>}
        art={<NetworkArt />}
      />
      {(['plain', 'surface', 'brand'] as const).map((tone) => (
        <Section
          key={tone}
          id={`section-${tone}`}
          title={`Section: ${tone}`}
          intro="What the section is about."
          tone={tone}
        >
          <TickList items={['One advantage', 'Another advantage']} />
        </Section>
      ))}
      <MediaRow
        id="media-row"
        title="Text beside a picture"
        picture={<ProductShot name="outlets" alt="A list of outlets" />}
      >
        <p>What the picture shows.</p>
      </MediaRow>
      {testimonials.slice(0, 1).map((one) => (
        <TestimonialCard key={one.id} testimonial={one} />
      ))}
      <div className="gallery-row gallery-covers">
        <CoverArt number={1} />
        <CoverArt number={2} round />
      </div>
      <Prose html="<h2 id='prose'>A text in Markdown</h2><p>A paragraph with a <a href='/faq'>link</a>.</p><ul><li>One</li></ul>" />
      <TableBox label="A wide table">
        <table className="table">
          <tbody>
            <tr>
              <th scope="row">A row</th>
              <td>A cell</td>
            </tr>
          </tbody>
        </table>
      </TableBox>
      <ScopeNote />
      <CallToAction />
    </>
  );
}
