// Writes nsfwjs-mid.json: what TensorFlow.js itself says of the pictures that
// reference_test.go draws. Run once, beside node_modules with both packages:
//   npm install @tensorflow/tfjs@4.22.0 nsfwjs@4.4.0 && node reference.js > nsfwjs-mid.json
const path = require('node:path');
const tf = require('@tensorflow/tfjs');
const base = path.join(process.cwd(), 'node_modules/nsfwjs/dist/models/mobilenet_v2_mid/');
const m=require(base+'model.min.js');
const w=Buffer.concat(['group1-shard1of2','group1-shard2of2'].map(n=>Buffer.from(require(base+n+'.min.js'),'base64')));
function picture(seed,w,h){
  let s=seed>>>0; const next=()=>{ s=(Math.imul(s,1664525)+1013904223)>>>0; return s>>>16; };
  const p=new Uint8Array(w*h*3);
  const a=next()%7, b=next()%7, c=next()%7;
  for(let y=0;y<h;y++)for(let x=0;x<w;x++){const i=(y*w+x)*3; p[i]=(x*a+y*b)>>2; p[i+1]=(x*b+y*c)>>2; p[i+2]=(x*c+y*a)>>2;}
  for(let k=0;k<24;k++){
    const cx=next()%w, cy=next()%h, rx=1+next()%(1+(w>>2)), ry=1+next()%(1+(h>>2)), round=next()&1, r=next()&255,g=next()&255,bl=next()&255;
    for(let y=Math.max(0,cy-ry);y<Math.min(h,cy+ry);y++)for(let x=Math.max(0,cx-rx);x<Math.min(w,cx+rx);x++){
      if(round){const dx=x-cx,dy=y-cy; if(dx*dx*ry*ry+dy*dy*rx*rx>rx*rx*ry*ry) continue;}
      const i=(y*w+x)*3; p[i]=r;p[i+1]=g;p[i+2]=bl;
    }}
  for(let i=0;i<p.length;i++) p[i]=Math.min(255,p[i]+(next()&15));
  return p;
}
(async()=>{
  await tf.setBackend('cpu');
  const model=await tf.loadGraphModel({load:async()=>({modelTopology:m.modelTopology,weightSpecs:m.weightsManifest.flatMap(g=>g.weights),weightData:w.buffer.slice(w.byteOffset,w.byteOffset+w.length),format:m.format,generatedBy:m.generatedBy,convertedBy:m.convertedBy,signature:m.userDefinedMetadata&&m.userDefinedMetadata.signature,userDefinedMetadata:m.userDefinedMetadata})});
  const out=[];
  for(const [seed,W,H] of [[1,224,224],[2,320,200],[3,64,64],[4,640,480],[5,97,301],[6,1280,720],[7,225,224],[8,512,512],[9,1,1],[10,300,17]]){
    const p=picture(seed,W,H);
    const r=tf.tidy(()=>{ const img=tf.tensor3d(Array.from(p),[H,W,3],'int32').toFloat().div(255); const q=(H==224&&W==224)?img:tf.image.resizeBilinear(img,[224,224],true); return model.predict(q.reshape([1,224,224,3]));});
    out.push({seed,width:W,height:H,scores:Array.from(await r.data())});
  }
  console.log(JSON.stringify(out, null, 1));
})();
