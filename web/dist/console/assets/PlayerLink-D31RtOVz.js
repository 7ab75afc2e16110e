<<<<<<<< HEAD:web/dist/console/assets/PlayerLink-D31RtOVz.js
import{a as e}from"./console-Ck0Cb7WX.js";import{En as t}from"./words-Bgy7IUef.js";var n=t();function r({app:t,id:r}){return(0,n.jsx)(`a`,{className:`player-link`,href:e([`players`,r],{app:t}),children:(0,n.jsx)(`bdi`,{children:r})})}function i({id:t,children:r}){return(0,n.jsx)(`a`,{href:e([`review`,t]),children:r??(0,n.jsx)(`code`,{children:t})})}export{r as n,i as t};
========
import{a as e}from"./console-c85ObUpZ.js";import{Cn as t}from"./words-LsuZdaAD.js";var n=t();function r({app:t,id:r}){return(0,n.jsx)(`a`,{className:`player-link`,href:e([`players`,r],{app:t}),children:(0,n.jsx)(`bdi`,{children:r})})}function i({id:t,children:r}){return(0,n.jsx)(`a`,{href:e([`review`,t]),children:r??(0,n.jsx)(`code`,{children:t})})}export{r as n,i as t};
>>>>>>>> s8/speak:web/dist/console/assets/PlayerLink-C6o0KurD.js
