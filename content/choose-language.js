// Sends the reader to the page in the browser's language; without scripts the two links below it do the same.
// What a link says about seed, step and prompt (after ? and #) goes along.
const wanted = navigator.languages.find((language) => /^(en|zh)\b/.test(language)) ?? "en";
location.replace(`${wanted.slice(0, 2)}/index.html${location.search}${location.hash}`);
